import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, createMetrics } from '@svc/boot'
import { noMaintenance } from '@svc/context'
import { accounts, DatabaseListener } from '@svc/db'
import { testDatabase } from '@svc/db/testing'
import { createRepositories } from '@svc/git'
import { createToken, ensureFirstAccount } from '@svc/identity'
import { openFolderStore } from '@svc/objects'
import { createKeySealer, createVault } from '@svc/vault'
import { type ApiParts, createApi } from '../../src/index.ts'
import { stubChannels } from './mutations/a-channel.ts'
import { testExecutor } from './connectors.ts'

export interface Caller {
  readonly user_id: string
  readonly token: string
}

export interface Job {
  readonly queue: string
  readonly name: string
  readonly payload: unknown
}

/** The API over a real database and real repositories; jobs are only noted. */
export async function testPlatform(changes: Partial<ApiParts> = {}) {
  const database = await testDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'svc-api-'))
  const repositories = await createRepositories({
    root: join(folder, 'repositories'),
    cache_root: join(folder, 'cache'),
    identity: { name: 'svc', email: 'noreply@svc.invalid' },
    allow: {},
  })
  const listener = new DatabaseListener(database.connection_string)
  const jobs: Job[] = []
  const lines: string[] = []
  const parts: ApiParts = {
    db: database.db,
    listener,
    enqueue: async (queue, name, payload) => void jobs.push({ queue, name, payload }),
    repositories,
    objects: await openFolderStore(join(folder, 'objects')),
    vault: createVault(randomBytes(32), { key_id: 'test' }),
    provider_sealer: createKeySealer(randomBytes(32)),
    settings: {
      api_url: 'http://127.0.0.1:1/v1',
      llm_base_url: null,
      session_cap: null,
      idle_after_seconds: 900,
      trigger_idle_after_seconds: 300,
      ask_timeout_seconds: 1800,
      apps_url: 'http://apps.localhost',
      previews: { scheme: 'http', host: 'preview.localhost', name: 'preview.localhost' },
    },
    log: createLogger({
      name: 'api',
      level: 'debug',
      destination: { write: (line: string) => void lines.push(line) },
    }),
    maintenance: () => noMaintenance,
    metrics: createMetrics('api'),
    now: () => new Date(),
    newId: () => randomUUID(),
    version: '1.2.3',
    commit: 'abc',
    public_docs: true,
    channel_platforms: stubChannels,
    ...changes,
  }
  const upstream = testExecutor(parts)
  const api = createApi({ executor: upstream.executor, computer_door: upstream.computer_door, ...parts })
  const owner: Caller & { readonly account_id: string } = await ensureFirstAccount(parts, null)
  return {
    parts,
    api,
    jobs,
    lines,
    database,
    owner,
    /** The bare repository of a managed project. */
    gitDir: (project_id: string) => join(folder, 'repositories', `${project_id}.git`),
    /** A person in an account of their own, who sees nothing of the owner's. */
    stranger: () => newPerson(parts),
    call: (path: string, options: CallOptions = {}) => call(api, path, options),
    async close() {
      api.endStreams()
      await upstream.close()
      await listener.close()
      await repositories.close()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type TestPlatform = Awaited<ReturnType<typeof testPlatform>>

async function newPerson(parts: ApiParts): Promise<Caller> {
  const created_at = new Date()
  const [account_id, user_id] = [randomUUID(), randomUUID()]
  await accounts.createWithOwner(
    parts.db,
    { account_id, name: 'Other', tier: 'free', created_at },
    { user_id, email: `${user_id}@svc.invalid`, name: 'Other', created_at },
  )
  const principal = { type: 'user', user_id, token_id: randomUUID() } as const
  const { token } = await createToken({ ...parts, principal }, { name: 'test' })
  return { user_id, token }
}

export interface CallOptions {
  readonly method?: string
  readonly token?: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The client's address; one of its own when absent, since addresses are counted. */
  readonly address?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; null when it is none. */
  readonly body: unknown
  /** A string of the body, such as `change_request.cr_id`. */
  pick(path: string): string
}

async function call(api: ReturnType<typeof createApi>, path: string, options: CallOptions): Promise<Answer> {
  const { token, json } = options
  const init = {
    method: options.method ?? 'GET',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(options.body === undefined ? {} : { body: options.body }),
  }
  const response = await api.app.request(path, init, { client_address: options.address ?? someAddress() })
  const text = await response.text()
  const body = parsed(text)
  return { status: response.status, headers: response.headers, text, body, pick: (path) => pick(body, path) }
}

function someAddress(): string {
  return `198.18.${randomInt(256)}.${randomInt(256)}`
}

export function pick(body: unknown, path: string): string {
  const found = path.split('.').reduce<unknown>((value, key) => {
    return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  }, body)
  if (typeof found !== 'string') throw new Error(`There is no ${path} in ${JSON.stringify(body)}`)
  return found
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
