import { afterEach, describe, expect, test } from 'vitest'
import {
  aggregatorOf,
  aggregatorProvider,
  type AggregatorsConfig,
  createAggregators,
  parseAggregators,
  type Target,
} from '../../src/index.ts'
import { composioKey, fakeComposio } from '../../src/testing/fake-composio.ts'
import { fakePipedream, pipedreamClient } from '../../src/testing/fake-pipedream.ts'
import type { FakeAggregator } from '../../src/testing/fake-server.ts'
import { callOptions } from '../support/target.ts'
import { loopbackWire } from '../support/wire.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const soon = () => AbortSignal.timeout(30_000)
const callback = 'https://svc.example/connected'

function targetOf(
  provider: 'aggregator_a' | 'aggregator_b',
  external_ref: string | null,
  app = 'github',
): Target {
  const common = {
    slug: 'hub',
    name: 'Hub',
    authorization_strategy: 'project',
    auth: null,
    headers: {},
    policies: [],
    default_action: 'risk',
    timeout_seconds: 60,
    idempotency_header: null,
    oauth: { client_id: null, scopes: [] },
    inline: true,
  } as const
  return {
    connector: { ...common, provider, app },
    credential: null,
    external_ref,
    readFile: async () => null,
  }
}

interface Kind {
  readonly provider: 'aggregator_a' | 'aggregator_b'
  readonly start: () => Promise<FakeAggregator>
  readonly configFor: (origin: string) => AggregatorsConfig
  /** Names of the actions that read, write, delete, say nothing, fail and never answer. */
  readonly names: readonly [string, string, string, string, string, string]
  readonly version: string
}

const kinds: readonly Kind[] = [
  {
    provider: 'aggregator_a',
    start: fakeComposio,
    configFor: (origin) => ({
      aggregator_a: {
        kind: 'composio',
        base_url: `${origin}/api/v3`,
        api_key: composioKey,
        auth_configs: { github: 'ac_github' },
      },
    }),
    names: ['GITHUB_GET', 'GITHUB_CREATE', 'GITHUB_DELETE', 'GITHUB_PLAIN', 'GITHUB_FAIL', 'GITHUB_SILENT'],
    version: '20260801_00',
  },
  {
    provider: 'aggregator_b',
    start: fakePipedream,
    configFor: (origin) => ({
      aggregator_b: { kind: 'pipedream', base_url: origin, environment: 'development', ...pipedreamClient },
    }),
    names: ['github-get', 'github-create', 'github-delete', 'github-plain', 'github-fail', 'github-silent'],
    version: '0.1.2',
  },
]

describe.each(kinds)('$provider', ({ provider: name, start, configFor, names, version }) => {
  async function begin() {
    const fake = await start()
    const { wire, close } = loopbackWire()
    closers.push(fake.close, close)
    const aggregators = createAggregators(configFor(fake.origin), wire)
    const provider = aggregatorProvider(aggregators)
    const { aggregator } = aggregatorOf(aggregators, targetOf(name, null).connector)
    async function connect(user = 'svc-p1') {
      const { ref, url } = await aggregator.begin({ app: 'github', user, callback }, soon())
      expect(await aggregator.find(ref, soon())).toEqual({ status: 'pending', ref })
      fake.connect(url)
      const found = await aggregator.find(ref, soon())
      expect(found.status).toBe('active')
      return found.ref
    }
    const actions = await provider.list(targetOf(name, null), soon())
    const actionOf = (action: string) => {
      const found = actions.find((one) => one.action === action)
      if (found === undefined) throw new Error(`no ${action}`)
      return found
    }
    return { fake, aggregator, provider, connect, actions, actionOf }
  }

  test('actions of all pages are listed with their risk and a schema', async () => {
    const { actions, provider } = await begin()
    expect(actions.map(({ action }) => action)).toEqual(names)
    expect(actions.map(({ risk }) => risk)).toEqual([
      'read',
      'write',
      'destructive',
      'write',
      'write',
      'write',
    ])
    expect(actions[0]?.input_schema).toMatchObject({
      type: 'object',
      properties: { owner: { type: 'string' } },
      required: ['owner'],
    })
    expect(await provider.list(targetOf(name, null, 'none'), soon())).toEqual([])
  })

  test('an account is connected, runs, stops to work and is taken away', async () => {
    const { fake, aggregator, provider, connect, actionOf } = await begin()
    const ref = await connect()
    const { options, sends } = callOptions()
    const args = { owner: 'ada', github: { authProvisionId: 'other' } }
    const outcome = await provider.call(targetOf(name, ref), actionOf(names[1]), args, options)
    expect(outcome).toMatchObject({ ok: true, truncated: false, upstream_status: 200 })
    expect(JSON.stringify(outcome)).toContain('"owner":"ada"')
    expect([sends.length, fake.runs.length]).toEqual([1, 1])
    expect(fake.runs[0]).toMatchObject({ action: names[1], user: 'svc-p1', version, args: { owner: 'ada' } })
    expect(ref.endsWith(String(fake.runs[0]?.account))).toBe(true)

    expect(
      await provider.call(targetOf(name, ref), actionOf(names[4]), {}, callOptions().options),
    ).toMatchObject({
      ok: false,
      reason: 'upstream_error',
      message: 'Repository not found',
      sent: true,
    })
    fake.expire()
    expect(await aggregator.find(ref, soon())).toEqual({ status: 'expired', ref })
    await aggregator.forget(ref, soon())
    await aggregator.forget(ref, soon())
    expect(await aggregator.find(ref, soon())).toEqual({ status: 'expired', ref })
  })

  test('an account of another user is not found and does not run', async () => {
    const { fake, aggregator, provider, connect, actionOf } = await begin()
    const ref = await connect('svc-p1')
    const stolen = ref.replace('svc-p1', 'svc-p2')
    expect((await aggregator.find(stolen, soon())).status).toBe('expired')
    const outcome = await provider.call(targetOf(name, stolen), actionOf(names[0]), {}, callOptions().options)
    expect(outcome).toMatchObject({ ok: false, reason: 'upstream_error', upstream_status: 400 })
    expect(fake.runs).toEqual([])
  })

  test('a second connection of one user waits for its own account', async () => {
    const { aggregator, connect } = await begin()
    await connect()
    // Moments are counted in milliseconds.
    const first = Date.now()
    await expect.poll(() => Date.now()).toBeGreaterThan(first)
    const { ref } = await aggregator.begin({ app: 'github', user: 'svc-p1', callback }, soon())
    expect(await aggregator.find(ref, soon())).toEqual({ status: 'pending', ref })
  })

  test('a run without an answer is unknown, one that was not sent is not', async () => {
    const { fake, provider, connect, actionOf } = await begin()
    const target = targetOf(name, await connect())
    const limit = new AbortController()
    const running = provider.call(
      target,
      actionOf(names[5]),
      {},
      callOptions({ signal: limit.signal }).options,
    )
    await expect.poll(() => fake.runs.length).toBe(1)
    limit.abort(new Error('the limit'))
    expect(await running).toMatchObject({ ok: false, reason: 'outcome_unknown', sent: true })

    const late = callOptions({ signal: AbortSignal.abort() })
    expect(await provider.call(target, actionOf(names[0]), {}, late.options)).toMatchObject({
      reason: 'upstream_timeout',
      sent: false,
    })
    expect(late.sends).toEqual([])
    await fake.close()
    closers.splice(closers.indexOf(fake.close), 1)
    expect(await provider.call(target, actionOf(names[0]), {}, callOptions().options)).toMatchObject({
      reason: 'upstream_unreachable',
      sent: false,
    })
  })

  test('a key that is refused names the file of the operator', async () => {
    const { fake, provider, connect, actionOf } = await begin()
    const target = targetOf(name, await connect())
    fake.lock()
    const refusal = {
      reason: 'aggregator_not_configured',
      message: expect.stringContaining('SVC_AGGREGATORS_FILE'),
    }
    expect(await provider.call(target, actionOf(names[0]), {}, callOptions().options)).toMatchObject({
      ok: false,
      ...refusal,
    })
    await expect(provider.list(target, soon())).rejects.toMatchObject(refusal)
    expect(fake.runs).toEqual([])
  })

  test('without its entry, without an account and without an app nothing is sent', async () => {
    const none = aggregatorProvider({})
    await expect(none.list(targetOf(name, null), soon())).rejects.toMatchObject({
      reason: 'aggregator_not_configured',
    })
    const { options, sends } = callOptions()
    const read = { action: names[0], binding: {}, risk: 'read' } as const
    expect(await none.call(targetOf(name, 'r'), read, {}, options)).toMatchObject({
      reason: 'aggregator_not_configured',
      sent: false,
    })
    const { provider } = await begin()
    expect(await provider.call(targetOf(name, null), read, {}, options)).toMatchObject({
      reason: 'connector_not_connected',
      sent: false,
    })
    expect(sends).toEqual([])
    expect(await provider.origin(targetOf(name, null))).toBeNull()
  })
})

test('a token that the aggregator forgot is renewed, and the run happens once', async () => {
  const fake = await fakePipedream()
  const { wire, close } = loopbackWire()
  closers.push(fake.close, close)
  const { aggregator_b: aggregator } = createAggregators(kinds[1]?.configFor(fake.origin) ?? {}, wire)
  if (aggregator === undefined) throw new Error('no aggregator')
  const { ref, url } = await aggregator.begin({ app: 'github', user: 'svc-u1', callback }, soon())
  fake.connect(url)
  fake.forgetTokens()
  const found = await aggregator.find(ref, soon())
  fake.forgetTokens()
  const { options, sends } = callOptions()
  const action = { action: 'github-get', binding: { app_prop: 'github' } }
  expect(await aggregator.run({ action, args: {}, ref: found.ref, ...options })).toMatchObject({ ok: true })
  expect([sends.length, fake.runs.length]).toEqual([1, 1])
})

test('an app without an auth config is refused before a person is sent anywhere', async () => {
  const { wire, close } = loopbackWire()
  closers.push(close)
  const { aggregator_a } = createAggregators(kinds[0]?.configFor('http://127.0.0.1:1') ?? {}, wire)
  await expect(aggregator_a?.begin({ app: 'slack', user: 'svc-u1', callback }, soon())).rejects.toMatchObject(
    {
      reason: 'aggregator_not_configured',
      message: expect.stringContaining('`auth_configs`'),
    },
  )
})

test.each([
  ['{', /no JSON/],
  ['{ "aggregator_c": {} }', /aggregator_c/],
  ['{ "aggregator_a": { "kind": "other" } }', /aggregator_a\.kind/],
  ['{ "aggregator_a": { "kind": "composio", "api_key": "" } }', /aggregator_a\.api_key/],
  [
    '{ "aggregator_b": { "kind": "pipedream", "project_id": "p", "client_id": "c", "client_secret": "hidden", "environment": "test" } }',
    /environment/,
  ],
])('a file that says %s is refused with the path', (text, message) => {
  expect(() => parseAggregators(text)).toThrow(message)
  expect(() => parseAggregators(text)).not.toThrow(/hidden/)
})

test('a file with one aggregator is read, with the address of the vendor', () => {
  expect(parseAggregators('{ "aggregator_a": { "kind": "composio", "api_key": "k" } }')).toEqual({
    aggregator_a: {
      kind: 'composio',
      base_url: 'https://backend.composio.dev/api/v3',
      api_key: 'k',
      auth_configs: {},
    },
  })
})
