import { createDatabase } from '@svc/db'
import { guardedWire } from '@svc/outbound'
import { look, makeProject, openWorld } from '@svc/services/testing'
import { type Aggregator, type AggregatorsConfig, createAggregators, createProviders } from '@svc/upstream'
import { composioKey, fakeComposio, fakePipedream, pipedreamClient } from '@svc/upstream/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { createExecutor } from '../../src/executor/index.ts'
import {
  beginAuthorization,
  callConnector,
  type ConnectorContext,
  deleteConnection,
  finishAuthorization,
  getAuthorization,
  getConnector,
  listConnections,
  receiveAuthorization,
} from '../../src/index.ts'
import { settings } from '../support/place.ts'

const world = await openWorld()

const kinds = [
  {
    provider: 'aggregator_a',
    action: 'GITHUB_GET',
    start: fakeComposio,
    configFor: (origin: string): AggregatorsConfig => ({
      aggregator_a: {
        ...{ kind: 'composio', base_url: `${origin}/api/v3`, api_key: composioKey },
        auth_configs: { github: 'ac_github' },
      },
    }),
  },
  {
    provider: 'aggregator_b',
    action: 'github-get',
    start: fakePipedream,
    configFor: (origin: string): AggregatorsConfig => ({
      aggregator_b: { kind: 'pipedream', base_url: origin, environment: 'development', ...pipedreamClient },
    }),
  },
] as const

describe.each(kinds)('$provider', ({ provider, action, start, configFor }) => {
  async function open() {
    const fake = await start()
    const locks = createDatabase(world.connection_string, { max: 2 })
    afterAll(async () => {
      await fake.close()
      await locks.destroy()
    })
    const wire = guardedWire({ open: ['127.0.0.0/8'] })
    const config = configFor(fake.origin)
    const inner = createAggregators(config, wire)[provider]
    if (inner === undefined) throw new Error('It is not set up')
    const asked: Parameters<Aggregator['begin']>[0][] = []
    const spied: Aggregator = {
      ...inner,
      begin: (one, signal) => {
        asked.push(one)
        return inner.begin(one, signal)
      },
    }
    const executor = createExecutor({
      ...world.base,
      ...{ locks, wire, signal: new AbortController().signal, connector_settings: settings },
      ...{ providers: createProviders({ wire, aggregators: config }).of, aggregators: { [provider]: spied } },
    })
    const project = await makeProject(world)
    const { project_id } = project
    const manifest = `svc_version: 2
agents: { default: { connectors: [hub] } }
connectors: [{ slug: hub, name: Hub, provider: ${provider}, app: github }]
`
    await project.commit('main', { 'svc.yaml': manifest }, 'Declare a connector')
    await look(world, project)
    const person: ConnectorContext = { ...project.ctx, executor, connector_settings: settings }
    const key = { project_id, slug: 'hub' }
    await executor.sync(key)
    const call = () =>
      callConnector(person, {
        ...{ project_id, connector: 'hub', action, args: { owner: 'ada' }, wait_seconds: 20, door: 'rest' },
      })
    return { ...{ fake, inner, asked, person, key, call, project_id } }
  }

  test('an account is linked on its page, called with, and taken away', async () => {
    const { fake, asked, person, key, call, project_id } = await open()
    expect(await getConnector(person, key)).toMatchObject({ takes_sign_in: true, connection: null })
    expect(await call()).toMatchObject({ reason: 'connector_not_connected' })
    const begun = await beginAuthorization(person, key)
    expect(begun).toMatchObject({ status: 'pending', issuer: null })
    const input = { ...key, authorization_id: begun.authorization_id }
    await expect(finishAuthorization(person, input)).rejects.toMatchObject({ code: 'conflict' })
    expect(asked).toMatchObject([{ app: 'github', user: `svc-${project_id}` }])
    fake.connect(begun.authorization_url ?? '')

    // The browser comes back with whatever the aggregator adds; its word alone connects nothing.
    const state = new URL(asked[0]?.callback ?? '').searchParams.get('state') ?? ''
    const { url } = await receiveAuthorization(person, { state })
    expect(url).toContain(`?authorization=${begun.authorization_id}`)
    expect(await getAuthorization(person, input)).toMatchObject({ status: 'returned' })
    expect(await finishAuthorization(person, input)).toMatchObject({ status: 'connected' })
    const [made] = (await listConnections(person, key)).connections
    expect(made).toMatchObject({ kind: 'aggregator', status: 'active', is_default: true, fields: [] })
    expect(await call()).toMatchObject({ ok: true })
    expect(fake.runs).toMatchObject([{ action, user: `svc-${project_id}` }])

    await deleteConnection(person, { ...key, connection_id: made?.connection_id ?? '' })
    expect(await call()).toMatchObject({ reason: 'connector_not_connected' })
  })

  test('it is finished without a browser that came back, and one’s own is of one’s own name there', async () => {
    const { fake, asked, person, key } = await open()
    const begun = await beginAuthorization(person, { ...key, scope: 'personal' })
    fake.connect(begun.authorization_url ?? '')
    const input = { ...key, authorization_id: begun.authorization_id }
    expect(await finishAuthorization(person, input)).toMatchObject({ status: 'connected' })
    const [made] = (await listConnections(person, key)).connections
    expect(made).toMatchObject({ scope: 'personal', status: 'active' })
    expect(asked[0]?.user).toBe(`svc-${made?.created_by}`)
  })
})

test('an aggregator that the operator did not set up is named', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const manifest =
    'svc_version: 2\nagents: { default: {} }\nconnectors: [{ slug: hub, provider: aggregator_a, app: github }]\n'
  await project.commit('main', { 'svc.yaml': manifest }, 'Declare a connector')
  await look(world, project)
  const locks = createDatabase(world.connection_string, { max: 1 })
  afterAll(() => locks.destroy())
  const wire = guardedWire({ open: [] })
  const executor = createExecutor({
    ...world.base,
    ...{ locks, wire, signal: new AbortController().signal, connector_settings: settings },
    providers: createProviders({ wire }).of,
  })
  const person = { ...project.ctx, executor, connector_settings: settings }
  await expect(beginAuthorization(person, { project_id, slug: 'hub' })).rejects.toMatchObject({
    code: 'issuer_not_usable',
    details: { reason: 'aggregator_not_configured' },
  })
})
