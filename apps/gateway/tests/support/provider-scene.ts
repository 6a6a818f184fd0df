import { randomBytes, randomUUID } from 'node:crypto'
import { type GatewayPlace, gatewayProviders, gatewaySettings, placeColumns } from '@svc/db'
import type { ObjectStore } from '@svc/objects'
import { createKeySealer } from '@svc/vault'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createGateway } from '../../src/index.ts'
import { type TestGateway, testGateway } from './gateway.ts'
import { type StubUpstream, stubUpstream } from './stub-upstream.ts'

interface Made {
  readonly slug: string
  readonly base_url: string
  readonly keys?: readonly string[]
  readonly kind?: 'openai' | 'anthropic' | 'openai_compatible'
}

/** A gateway before two providers, for each test of a file without what the one before it set. */
export function providerScene() {
  const sealer = createKeySealer(randomBytes(32))
  let parts: {
    readonly platform: TestGateway
    readonly stub: StubUpstream
    readonly spare: StubUpstream
    readonly project: { readonly project_id: string; readonly account_id: string }
  }
  beforeAll(async () => {
    const platform = await testGateway()
    const project = await platform.base.db
      .selectFrom('projects')
      .select(['project_id', 'account_id'])
      .executeTakeFirstOrThrow()
    parts = { platform, project, stub: await stubUpstream(), spare: await stubUpstream() }
  })
  afterAll(async () => {
    await Promise.all([parts.stub.close(), parts.spare.close()])
    await parts.platform.close()
  })
  beforeEach(() => {
    parts.stub.seen.length = 0
    parts.spare.seen.length = 0
  })
  afterEach(async () => {
    parts.stub.answers(null)
    parts.spare.answers(null)
    const { db } = parts.platform.base
    await db.deleteFrom('gateway_providers').execute()
    await db.deleteFrom('gateway_settings').execute()
    await db.deleteFrom('gateway_prices').execute()
    await db.deleteFrom('gateway_holds').execute()
    await db.deleteFrom('gateway_budgets').execute()
  })
  const calls = () => parts.platform.base.db.selectFrom('gateway_calls').selectAll()
  return {
    sealer,
    get platform() {
      return parts.platform
    },
    get project() {
      return parts.project
    },
    get stub() {
      return parts.stub
    },
    get spare() {
      return parts.spare
    },
    ours: (): GatewayPlace => ({ scope: 'project', project_id: parts.project.project_id }),
    atStub: (made: Omit<Made, 'base_url'>) => ({ ...made, base_url: `${parts.stub.origin}/v1` }),
    atSpare: (made: Omit<Made, 'base_url'>) => ({ ...made, base_url: `${parts.spare.origin}/v1` }),
    async provider(place: GatewayPlace, { slug, base_url, keys = [], kind = 'openai' }: Made) {
      const { db } = parts.platform.base
      const [provider_id, at] = [randomUUID(), new Date()]
      await gatewayProviders.insert(db, {
        ...placeColumns(place),
        ...{ provider_id, slug, kind, base_url },
        models: JSON.stringify([{ id: 'm1', max_output_tokens: 1_000, context_window: 100_000 }]),
        ...{ deadlines: '{}', output_limit_field: 'max_completion_tokens', managed_by: 'api' },
        ...{ created_by: null, created_at: at, updated_at: at },
      })
      for (const [index, key] of keys.entries()) {
        const key_id = randomUUID()
        await gatewayProviders.insertKey(db, {
          ...{ key_id, provider_id, name: `key ${index}` },
          sealed: sealer.seal([provider_id, key_id], key),
          ...{ variable: null, hint: key.slice(-4), created_at: new Date(at.getTime() + index) },
        })
      }
      await gatewaySettings.touch(db, place)
      return provider_id
    },
    ask(body: object, given: { readonly open?: boolean; readonly objects?: Pick<ObjectStore, 'put'> } = {}) {
      const app = createGateway({
        ...parts.platform.base,
        ...{ upstream: null, sealer, objects: given.objects },
        outbound_addresses: given.open === false ? [] : ['127.0.0.0/8'],
      })
      return app.request('/v1/llm/chat/completions', {
        method: 'POST',
        headers: { 'x-api-key': parts.platform.key, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'scene:text' }], ...body }),
      })
    },
    rowOf: (response: Response) =>
      calls()
        .where('call_id', '=', response.headers.get('x-svc-call-id') ?? '')
        .executeTakeFirstOrThrow(),
    lastRow: () => calls().orderBy('at', 'desc').limit(1).executeTakeFirstOrThrow(),
  }
}
