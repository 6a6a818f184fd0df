import type { Provider } from '@svc/upstream'
import {
  addMember,
  agentPrincipal,
  look,
  makeProject,
  openWorld,
  runningSession,
  type Person,
} from '@svc/services/testing'
import { createDatabase } from '@svc/db'
import { guardedWire } from '@svc/outbound'
import { afterAll, expect, test } from 'vitest'
import { usableConnectors, usableTools } from '../../src/connectors/search.ts'
import { requireCaller } from '../../src/calls/caller.ts'
import { createExecutor } from '../../src/executor/index.ts'
import { acceptActions, findTool, listConnectors, noExecutor, searchTools } from '../../src/index.ts'
import { settings } from '../support/place.ts'

const world = await openWorld({ session_cap: 500 })
const locks = createDatabase(world.connection_string, { max: 4 })
afterAll(() => locks.destroy())
const parts = { executor: noExecutor, connector_settings: settings }

type Listed = Awaited<ReturnType<Provider['list']>>[number]
const tool = (action: string, description: string, more: Partial<Listed> = {}): Listed => ({
  ...{ action, title: null, description, risk: 'read', input_schema: { type: 'object' } },
  ...{ binding: { tool: action }, ...more },
})

/** The services of this file, by the slugs of their connectors: what they list can be changed. */
const services = new Map<string, readonly Listed[]>()
const provider: Provider = {
  list: async ({ connector }) => services.get(connector.slug) ?? [],
  call: async () => ({
    ok: true,
    data: null,
    truncated: false,
    upstream_status: 200,
    bytes_out: 0,
    bytes_in: 0,
  }),
  origin: async () => 'https://service.example',
}
const executor = createExecutor({
  ...world.base,
  locks,
  signal: new AbortController().signal,
  ...{ wire: guardedWire({ open: [] }), providers: { mcp: provider } },
  connector_settings: settings,
})

const connector = (slug: string, rest = '') =>
  `  - { slug: ${slug}, provider: mcp, url: "https://${slug}.example/mcp", auth: { type: none }${rest} }\n`
const manifest = (connectors: string) => `svc_version: 2
default_agent: default
agents:
  default: { svc_cli: [project.read], connectors: [mail] }
  other: { svc_cli: [project.read], connectors: [docs] }
${connectors === '' ? '' : `connectors:\n${connectors}`}`
const both = connector('mail') + connector('docs')

/** A project with the connectors `mail` and `docs`, of which each agent may use one. */
async function open() {
  services.set('mail', [tool('send_letter', 'Sends a letter.'), tool('find_letter', 'Finds letters.')])
  services.set('docs', [tool('find_page', 'Finds a page that a letter names.')])
  const project = await makeProject(world)
  const { project_id } = project
  const declare = async (connectors: string) => {
    await project.commit('main', { 'svc.yaml': manifest(connectors) }, 'Declare')
    await look(world, project)
  }
  const sync = async (slug: string) => {
    world.clock.advance(1)
    await executor.sync({ project_id, slug })
  }
  await declare(both)
  for (const slug of ['mail', 'docs']) await sync(slug)
  const agentOf = async (agent_name: string) => {
    const session = await runningSession(world, project, { agent_name })
    return { ...world.as(agentPrincipal({ ...session, project_id }, [])), ...parts }
  }
  const as = ({ principal }: Person) => ({ ...world.as(principal), ...parts })
  const owner = as(project.owner)
  const find = async (query: string, ctx = owner) =>
    (await searchTools(ctx, { project_id, query })).tools.map((one) => `${one.connector}.${one.action}`)
  return { project, project_id, declare, sync, agentOf, as, owner, find }
}

test('each caller finds what they may call, no matter who searched before', async () => {
  const { project, project_id, agentOf, as, owner, find } = await open()
  const [mail, docs] = [await agentOf('default'), await agentOf('other')]
  const member = as(await addMember(world, project, 'manager'))
  const all = ['docs.find_page', 'mail.find_letter', 'mail.send_letter']
  for (let round = 0; round < 2; round += 1) {
    expect((await find('letter')).toSorted()).toEqual(all)
    expect((await find('letter', mail)).toSorted()).toEqual(all.slice(1))
    expect(await find('letter', docs)).toEqual(all.slice(0, 1))
    expect((await find('letter', member)).toSorted()).toEqual(all)
    expect((await find('', mail)).toSorted()).toEqual(all.slice(1))
    expect(await find('page', mail)).toEqual([])
    expect(await findTool(mail, { project_id, tool: 'docs.find_page' })).toBeUndefined()
    expect(await findTool(owner, { project_id, tool: 'docs.find_page' })).toMatchObject({ risk: 'read' })
  }
})

test('projects with connectors that are alike know nothing of each other', async () => {
  const [one, other] = [await open(), await open()]
  expect(await one.find('letter', one.owner)).toHaveLength(3)
  services.set('mail', [tool('burn_letter', 'Burns a letter.')])
  await other.sync('mail')
  expect(await other.find('burn')).toEqual(['mail.burn_letter'])
  expect(await one.find('burn')).toEqual([])
  await expect(searchTools(one.owner, { project_id: other.project_id })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a changed rule holds for the next search', async () => {
  const { declare, find, owner, project_id } = await open()
  const first = async () => (await searchTools(owner, { project_id, query: 'send' })).tools[0]
  expect(await first()).toMatchObject({ action: 'send_letter', needs_approval: false })
  const ruled = (action: string) =>
    connector('mail', `, policies: [{ match: send_letter, action: ${action} }]`) + connector('docs')
  await declare(ruled('require_approval'))
  expect(await first()).toMatchObject({ action: 'send_letter', needs_approval: true })
  await declare(ruled('block'))
  expect(await find('send')).toEqual([])
  await declare(both)
  expect(await first()).toMatchObject({ action: 'send_letter', needs_approval: false })
})

test('what a service says by now is what is found, in its words and with its title', async () => {
  const { sync, find, owner, project_id } = await open()
  const of = async (query: string) => (await searchTools(owner, { project_id, query })).tools[0]
  expect(await of('find letter')).toMatchObject({ action: 'find_letter', needs_approval: false })
  services.set('mail', [tool('find_letter', 'Finds parcels.'), tool('drop', 'Drops all.')])
  await sync('mail')
  expect(await find('send')).toEqual([])
  expect(await find('parcels')).toEqual(['mail.find_letter'])
  expect(await of('drop')).toMatchObject({ description: 'Drops all.', needs_approval: true })
  const titled = (title: string) => [tool('find_letter', 'Finds parcels.', { title })]
  services.set('mail', titled('Look for mail'))
  await sync('mail')
  expect(await find('drop')).toEqual([])
  expect(await of('mail')).toMatchObject({ action: 'find_letter', title: 'Look for mail' })
  // No digest speaks of a title.
  services.set('mail', titled('Look for post'))
  await sync('mail')
  expect(await of('post')).toMatchObject({ action: 'find_letter', title: 'Look for post' })
})

test('once a person accepted what changed, the next search says so', async () => {
  const { sync, owner, project_id } = await open()
  const of = async () => (await searchTools(owner, { project_id, query: 'find letter' })).tools[0]
  services.set('mail', [tool('find_letter', 'Finds letters anew.')])
  await sync('mail')
  expect(await of()).toMatchObject({ needs_approval: true })
  const { connectors } = await listConnectors(owner, { project_id })
  const { catalogue_digest } = connectors.find(({ slug }) => slug === 'mail') ?? {}
  await acceptActions(owner, { project_id, slug: 'mail', catalogue_digest: catalogue_digest ?? '' })
  expect(await of()).toMatchObject({ needs_approval: false })
})

test('actions that came after their connectors were read are not kept for them', async () => {
  const { declare, sync, find, owner, project_id } = await open()
  const only = connector('mail')
  const before = async () => usableConnectors(owner, await requireCaller(owner, project_id))
  await declare('')
  await declare(only)
  const rows = await before()
  await sync('mail')
  expect((await usableTools(owner, rows)).length).toBe(2)
  // It is declared anew, and is as it was when it had no actions yet.
  await declare('')
  await declare(only)
  expect(await before()).toEqual(rows.map((row) => ({ ...row, sync_due_at: expect.any(Date) })))
  expect(await find('letter')).toEqual([])
})
