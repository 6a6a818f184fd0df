import { beforeAll, describe, expect, test } from 'vitest'
import { fireTrigger, provisionSandbox, putSecret } from '../../src/index.ts'
import { makeProject, type TestProject } from '../../src/testing/projects.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { look } from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()

const manifest = `svc_version: 2
default_agent: everything
agents:
  everything: { connectors: all, secrets: all, skills: all }
  nothing: { connectors: none, secrets: none, skills: none }
  silent: {}
  listed: { connectors: [docs, ghost], secrets: [A, GHOST], skills: [notes, 'a,b'] }
  needy: { connectors_required: [crm] }
  broken: { connectors: all, connectors_required: [ghost] }
connectors:
  - { slug: docs, provider: mcp, url: 'https://docs.example.test/mcp' }
  - { slug: crm, provider: http, base_url: 'https://crm.example.test', auth: { type: bearer } }
triggers:
${['listed', 'silent', 'broken'].map((agent) => `  - { slug: ${agent}, type: cron, cron: '0 0 3 * * *', agent: ${agent}, prompt: x }\n`).join('')}`

let project: TestProject
beforeAll(async () => {
  project = await makeProject(world)
  const { project_id, ctx } = project
  for (const name of ['A', 'B']) await putSecret(ctx, { project_id, name, value: `value of ${name}` })
  await project.commit('main', { 'svc.yaml': manifest })
  await look(world, project)
})

type Body = Parameters<typeof newSession>[2]
const bound = (...slugs: string[]) =>
  Object.fromEntries(slugs.map((slug) => [slug, { connection_id: `of ${slug}` }]))

/** The names of all that a sandbox is told its agent may use. */
async function grantOf(agent_name: string, body: Body = {}) {
  const session = await newSession(world, project, { agent_name, ...body })
  await provisionSandbox(world.worker(), session.key)
  const environment = await session.environment()
  return {
    secrets: ['A', 'B'].filter((name) => name in environment),
    skills: JSON.parse(environment['SVC_AGENT_SKILLS'] ?? 'null'),
    connectors: JSON.parse(environment['SVC_CONNECTORS'] ?? '[]').map(
      (one: { slug: string; connection_id: string | null }) => `${one.slug}=${one.connection_id ?? ''}`,
    ),
  }
}

test.each<[string, Body, Awaited<ReturnType<typeof grantOf>>]>([
  ['everything', {}, { secrets: ['A', 'B'], skills: 'all', connectors: ['docs=', 'crm='] }],
  ['nothing', {}, { secrets: [], skills: [], connectors: [] }],
  ['silent', {}, { secrets: [], skills: [], connectors: [] }],
  ['listed', {}, { secrets: ['A'], skills: ['notes', 'a,b'], connectors: ['docs='] }],
  // The creator's request chooses among what the agent has, and adds nothing.
  ['everything', { secrets: ['B'] }, { secrets: ['B'], skills: 'all', connectors: ['docs=', 'crm='] }],
  ['listed', { secrets: ['A', 'B'] }, { secrets: ['A'], skills: ['notes', 'a,b'], connectors: ['docs='] }],
  ['nothing', { secrets: ['A'] }, { secrets: [], skills: [], connectors: [] }],
  [
    'everything',
    { connector_bindings: bound('crm') },
    { secrets: ['A', 'B'], skills: 'all', connectors: ['docs=', 'crm=of crm'] },
  ],
  ['needy', { connector_bindings: bound('crm') }, { secrets: [], skills: [], connectors: ['crm=of crm'] }],
])('the agent %s with %j', async (agent_name, body, expected) => {
  expect(await grantOf(agent_name, body)).toEqual(expected)
})

describe('a session is refused', () => {
  test.each<[string, string, Body, string, object]>([
    [
      'a binding of a connector that its agent may not use',
      'listed',
      { connector_bindings: bound('docs', 'crm') },
      'INVALID_SESSION_CONNECTOR_BINDINGS',
      { issues: [{ path: 'connector_bindings.crm' }] },
    ],
    [
      'a binding of a connector that nothing declares',
      'everything',
      { connector_bindings: bound('ghost') },
      'INVALID_SESSION_CONNECTOR_BINDINGS',
      { issues: [{ path: 'connector_bindings.ghost' }] },
    ],
    [
      'whose agent needs what is not declared',
      'broken',
      {},
      'connector_not_connected',
      { connectors: [{ slug: 'ghost', connect_url: null }] },
    ],
  ])('%s', async (_, agent_name, body, code, details) => {
    await expect(newSession(world, project, { agent_name, ...body })).rejects.toMatchObject({ code, details })
  })
})

describe('a trigger’s session', () => {
  const fire = async (slug: string) => {
    const { project_id, ctx } = project
    return fireTrigger(ctx, { project_id, slug })
  }
  const requested = async (slug: string) => {
    const answer = await fire(slug)
    if (answer.status !== 'fired') throw new Error(answer.reason)
    const row = await world.db
      .selectFrom('project_sessions')
      .select('requested')
      .where('session_id', '=', answer.session_id)
      .executeTakeFirstOrThrow()
    return row.requested
  }

  test('gets what its agent may use', async () => {
    expect(await requested('listed')).toMatchObject({
      secrets: ['A', 'GHOST'],
      skills: ['notes', 'a,b'],
      connectors: [{ slug: 'docs', connection_id: null }],
    })
    expect(await requested('silent')).toEqual({ secrets: [], skills: [] })
  })

  test('is not made when its agent needs what does not work', async () => {
    await expect(fire('broken')).rejects.toMatchObject({
      code: 'TRIGGER_CANNOT_FIRE',
      message: expect.stringContaining('ghost'),
    })
  })
})
