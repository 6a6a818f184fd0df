import { createDatabase } from '@svc/db'
import { guardedWire } from '@svc/outbound'
import { look, makeProject, openWorld } from '@svc/services/testing'
import type { Provider } from '@svc/upstream'
import { afterAll, expect, test } from 'vitest'
import { createExecutor } from '../../src/executor/index.ts'
import { callConnector, testPolicy } from '../../src/index.ts'
import { settings } from '../support/place.ts'

const world = await openWorld({ session_cap: 100 })
const locks = createDatabase(world.connection_string, { max: 4 })
afterAll(() => locks.destroy())

const ran: unknown[] = []
const provider: Provider = {
  list: async () => [
    {
      ...{ action: 'query', title: null, description: '', risk: 'destructive', binding: {} },
      input_schema: { type: 'object' },
    },
  ],
  call: async (_target, _action, args) => {
    ran.push(args['query'])
    const sizes = { upstream_status: 200, bytes_out: 0, bytes_in: 0 }
    return { ok: true, data: null, truncated: false, ...sizes }
  },
  origin: async () => 'https://graph.example',
}

test('a GraphQL document that only reads runs at once, and one that writes asks a person', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const manifest = `svc_version: 2
default_agent: default
agents:
  default: { connectors: [graph] }
connectors:
  - { slug: graph, provider: graphql, endpoint: "https://graph.example/" }
`
  await project.commit('main', { 'svc.yaml': manifest }, 'Declare')
  await look(world, project)
  const executor = createExecutor({
    ...world.base,
    ...{ locks, signal: new AbortController().signal, connector_settings: settings },
    ...{ wire: guardedWire({ open: [] }), providers: { graphql: provider } },
  })
  const person = { ...world.as(project.owner.principal), executor, connector_settings: settings }
  const asked = { project_id, connector: 'graph', action: 'query' } as const
  const run = (query: string, wait_seconds = 0) =>
    callConnector(person, { ...asked, args: { query }, wait_seconds, door: 'rest' })
  const risk = async (query: string) =>
    (await testPolicy(person, { project_id, slug: 'graph', action: 'query', args: { query } })).risk
  expect(await run('{ pets { name } }', 20)).toMatchObject({ ok: true, risk: 'read' })
  expect(await risk('{ pets { name } }')).toBe('read')
  for (const [query, strength] of [
    ['mutation { addPet { id } }', 'write'],
    ['query Read { pets { name } } mutation Write { deletePet }', 'destructive'],
    ['no document', 'destructive'],
  ] as const) {
    expect(await run(query), query).toMatchObject({ reason: 'approval_required' })
    expect(await risk(query), query).toBe(strength)
  }
  expect(ran).toEqual(['{ pets { name } }'])
})
