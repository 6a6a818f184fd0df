import { addMember, agentPrincipal, makeProject, openWorld, runningSession } from '@svc/services/testing'
import { expect, test } from 'vitest'
import {
  type ConnectorContext,
  createConnector,
  deleteConnector,
  listConnectors,
  noExecutor,
} from '../../src/index.ts'
import { settings } from '../support/place.ts'

const world = await openWorld()
const parts = { executor: noExecutor, connector_settings: settings }
const docs = { slug: 'docs', provider: 'mcp', url: 'https://mcp.example.com/mcp' }

async function place(more = '') {
  const project = await makeProject(world)
  const head = `# Ours\nsvc_version: 2\nagents: { default: { svc_cli: [project.connector.write] } } # kept\n${more}`
  await project.commit('main', { 'svc.yaml': head }, 'Begin')
  const { project_id } = project
  const ctx: ConnectorContext = { ...project.ctx, ...parts }
  const slugs = async () => (await listConnectors(ctx, { project_id })).connectors.map(({ slug }) => slug)
  return { project, project_id, ctx, head, slugs, text: () => project.git('show', 'main:svc.yaml') }
}

test('it is one commit that leaves the rest of the file alone, and is taken back by another', async () => {
  const { project, project_id, ctx, head, slugs, text } = await place()
  world.queue.live = true
  const made = await createConnector(ctx, { project_id, connector: docs })
  const tip = await project.tip('main')
  expect(made).toMatchObject({ connector: { slug: 'docs', provider: 'mcp' }, commit_sha: tip })
  expect(await text()).toBe(
    `${head}\nconnectors:\n  - slug: docs\n    provider: mcp\n    url: https://mcp.example.com/mcp`,
  )
  expect(await slugs()).toEqual(['docs'])
  const gone = await deleteConnector(ctx, { project_id, slug: 'docs' })
  expect(gone).toMatchObject({ connector: { slug: 'docs' }, commit_sha: await project.tip('main') })
  expect(await slugs()).toEqual([])
  const actions = await world.db
    .selectFrom('audit_events')
    .select(['action', 'target'])
    .where('project_id', '=', project_id)
    .where('action', 'in', ['createConnector', 'deleteConnector'])
    .orderBy('seq')
    .execute()
  const target = `projects/${project_id}/connectors/docs`
  expect(actions).toEqual([
    { action: 'createConnector', target },
    { action: 'deleteConnector', target },
  ])
})

test('what cannot be is refused with a reason, and nothing is committed', async () => {
  const { project, project_id, ctx } = await place(`connectors:\n  - { slug: docs, provider: mcp, url: x }\n`)
  const tip = await project.tip('main')
  const add = (connector: Parameters<typeof createConnector>[1]['connector'], as = ctx) =>
    createConnector(as, { project_id, connector })
  await expect(add(docs)).rejects.toMatchObject({ code: 'conflict' })
  await expect(add({ slug: 'more', provider: 'mcp' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('The connector more is not valid: url: '),
    details: { issues: [{ path: 'url' }] },
  })
  await expect(deleteConnector(ctx, { project_id, slug: 'gone' })).rejects.toMatchObject({
    code: 'not_found',
  })
  const member = { ...world.as((await addMember(world, project, 'member')).principal), ...parts }
  await expect(add({ ...docs, slug: 'more' }, member)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await project.tip('main')).toBe(tip)
})

test('a session proposes it, and a person decides', async () => {
  const { project, project_id } = await place()
  const tip = await project.tip('main')
  world.queue.live = false
  const session = await runningSession(world, project)
  const agent = {
    ...world.as(agentPrincipal({ ...session, project_id }, ['project.connector.write'])),
    ...parts,
  }
  const answer = await createConnector(agent, { project_id, connector: docs })
  expect(answer).toMatchObject({
    status: 'proposed',
    change_request: {
      ...{ title: 'Add the connector docs', status: 'open' },
      head_ref: expect.stringMatching(/^connector-docs-/),
    },
  })
  expect(await project.tip('main')).toBe(tip)
})
