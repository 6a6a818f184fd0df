import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { formatToken } from '@svc/access'
import { createLogger, createMetrics } from '@svc/boot'
import { type Db, features, tokens } from '@svc/db'
import { testDatabase } from '@svc/db/testing'
import { ensureFirstAccount } from '@svc/identity'
import { createGateway, type Upstream } from '../../src/index.ts'

/** A gateway over a real database, with a key of each kind. */
export async function testGateway() {
  const database = await testDatabase()
  const lines: string[] = []
  const metrics = createMetrics('gateway')
  const base = {
    metrics,
    db: database.db,
    now: () => new Date(),
    newId: () => randomUUID(),
    log: createLogger({
      name: 'gateway',
      level: 'debug',
      destination: { write: (line: string) => void lines.push(line) },
    }),
  }
  const owner = await ensureFirstAccount(base, null)
  const key = await gatewayKey(database.db, owner)
  return {
    base,
    lines,
    key,
    user_token: owner.token,
    connection_string: database.connection_string,
    gateway: (upstream: Upstream | null = null) => createGateway({ ...base, upstream }),
    close: () => database.close(),
  }
}

export type TestGateway = Awaited<ReturnType<typeof testGateway>>

export function post(app: ReturnType<typeof createGateway>, body: unknown, token: string) {
  return app.request('/v1/llm/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

export const hello = { model: 'demo', messages: [{ role: 'user', content: 'Hello' }] }

interface Owner {
  readonly account_id: string
  readonly user_id: string
}

/** A project with a gateway key of its own, as a session start would leave it. */
async function gatewayKey(db: Db, { account_id, user_id }: Owner): Promise<string> {
  const [project_id, created_at] = [randomUUID(), new Date()]
  await db
    .insertInto('projects')
    .values({
      project_id,
      account_id,
      name: 'x',
      slug: 'x',
      kind: 'managed',
      repo_url: `managed:${project_id}`,
      default_branch: 'main',
      metadata: '{}',
      sealed_data_key: 'none',
      sealed_credential: null,
      archived_at: null,
      created_by: user_id,
      created_at,
      updated_at: created_at,
    })
    .execute()
  const flag = {
    feature: 'model_gateway',
    enabled: true,
    updated_by: user_id,
    updated_at: created_at,
  } as const
  await features.set(db, { project_id, ...flag })
  const secret = formatToken('svc_gw_', randomBytes(32))
  await tokens.insert(db, {
    token_id: randomUUID(),
    kind: 'gateway',
    token_hash: createHash('sha256').update(secret).digest(),
    display_prefix: secret.slice(0, 12),
    name: 'x',
    user_id,
    project_id,
    session_id: null,
    default_branch: false,
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
    created_at,
  })
  return secret
}
