import type { Principal } from '@svc/access'
import type { Context } from '@svc/context'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  abortSession,
  answerAsk,
  authorizeProxy,
  getSession,
  getSessionTranscript,
  getSessionTranscriptText,
  listPrompts,
  listSessionEvents,
  listSessions,
  openSessionEvents,
  promptSession,
  refreshSession,
  putPersonalSecret,
  reportTurnQuestion,
  updateSession,
} from '../../src/index.ts'
import { addMember, addOwner, agentPrincipal } from '../../src/testing/people.ts'
import { makeProject, type TestProject } from '../../src/testing/projects.ts'
import { newSession, runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const grant = ['project.read', 'project.session.read', 'project.session.start'] as const

let project: TestProject
let sessions: Readonly<Record<'private' | 'shared' | 'personal', TestSession>>
const ids = () => Object.values(sessions).map(({ session_id }) => session_id)
let callers: Readonly<Record<string, (session: TestSession) => Principal>>

beforeAll(async () => {
  project = await makeProject(world)
  const { ctx, project_id, owner } = project
  const ordinary = await runningSession(world, project)
  const shared = await runningSession(world, project)
  await updateSession(ctx, { ...shared.key, visibility: 'project' })
  await putPersonalSecret(ctx, { project_id, name: 'MINE', value: 'x' })
  sessions = { private: ordinary, shared, personal: await runningSession(world, project) }
  for (const session of Object.values(sessions))
    await reportTurnQuestion(await session.daemon(), {
      ...session.key,
      request_id: 'q',
      questions: [{ question: '?' }],
    })
  world.daemon.act_status = 200
  const [manager, member, viewer] = [
    (await addMember(world, project, 'manager')).principal,
    (await addMember(world, project, 'member')).principal,
    (await addMember(world, project, 'viewer')).principal,
  ]
  const stranger = (await addOwner(world)).principal
  const another = await newSession(world, project, { secrets: [] })
  const parent = await newSession(world, project, { secrets: [] })
  const descends = { ancestor_session_ids: [parent.session_id] }
  await world.db.updateTable('project_sessions').set(descends).where('session_id', 'in', ids()).execute()
  callers = {
    'the owner': () => owner.principal,
    'a manager': () => manager,
    'a member': () => member,
    'a viewer': () => viewer,
    'its own agent': ({ key, created_by }) => agentPrincipal({ ...key, created_by }, grant),
    'another agent of the owner': ({ created_by }) => agentPrincipal({ ...another.key, created_by }, grant),
    'the agent that started it': ({ created_by }) => agentPrincipal({ ...parent.key, created_by }, grant),
    'a stranger': () => stranger,
  }
})

const proxy = (ctx: Context, session: TestSession, method: string, path: string, port = 8000) =>
  session
    .sandbox()
    .then(({ external_id }) => authorizeProxy(ctx, { external_id: external_id ?? '', port, path, method }))

type Look = (ctx: Context, session: TestSession) => Promise<unknown>

/** Every way to a session, by what one must be able to do for it. */
const ways: Readonly<Record<'see' | 'read' | 'drive', Readonly<Record<string, Look>>>> = {
  see: {
    get: (ctx, { key }) => getSession(ctx, key),
    list: async (ctx, { key }) => {
      const page = await listSessions(ctx, { project_id: key.project_id, limit: 50 })
      const listed =
        page.kind === 'page' && page.sessions.some(({ session_id }) => session_id === key.session_id)
      if (!listed) throw new Error('It is not listed')
    },
  },
  read: {
    events: (ctx, { key }) => listSessionEvents(ctx, { ...key, after: 0, limit: 10 }),
    'event stream': (ctx, { key }) => openSessionEvents(ctx, { ...key, after: 0 }),
    transcript: (ctx, { key }) => getSessionTranscript(ctx, key),
    'transcript as text': (ctx, { key }) => getSessionTranscriptText(ctx, key),
    inbox: (ctx, { key }) => listPrompts(ctx, { ...key, limit: 10 }),
    runtime: (ctx, session) => proxy(ctx, session, 'GET', '/svc/runtime/messages'),
    preview: (ctx, session) => proxy(ctx, session, 'GET', '/', 3000),
  },
  drive: {
    prompt: (ctx, { key }) => promptSession(ctx, { ...key, text: 'hello' }),
    ask: (ctx, { key }) => answerAsk(ctx, { ...key, request_id: 'q', answer: { answers: [['a']] } }),
    refresh: (ctx, { key }) => refreshSession(ctx, key),
    abort: (ctx, { key }) => abortSession(ctx, key),
    'runtime prompt': (ctx, session) => proxy(ctx, session, 'POST', '/svc/runtime/prompt'),
    'agent runtime': (ctx, session) => proxy(ctx, session, 'GET', '/session'),
    'daemon act': (ctx, session) => proxy(ctx, session, 'POST', '/svc/abort'),
  },
}

const all = (...levels: (keyof typeof ways)[]) => levels.flatMap((level) => Object.keys(ways[level]))
const proxied = ['runtime', 'preview', 'runtime prompt', 'agent runtime', 'daemon act']
const notProxied = (names: readonly string[]) => names.filter((name) => !proxied.includes(name))
const nothing: readonly string[] = []
const seen = all('see')
const read = all('see', 'read')
const driven = all('see', 'read', 'drive')

const expected = {
  'the owner': { private: driven, shared: driven, personal: driven },
  'a manager': { private: driven, shared: driven, personal: seen },
  'a member': { private: read, shared: driven, personal: seen },
  'a viewer': { private: read, shared: read, personal: seen },
  'its own agent': { private: driven, shared: driven, personal: driven },
  // An agent reaches no other sandbox than its own, and speaks to no session that it did not start.
  'another agent of the owner': { private: notProxied(read), shared: notProxied(read), personal: seen },
  'the agent that started it': { private: notProxied(driven), shared: notProxied(driven), personal: seen },
  'a stranger': { private: nothing, shared: nothing, personal: nothing },
}

describe.each(Object.entries(expected))('%s', (caller, table) => {
  test.each(Object.entries(table))('with a session that is %s', async (kind, open) => {
    const session = Object.entries(sessions).find(([name]) => name === kind)?.[1]
    const principal = session && callers[caller]?.(session)
    if (!session || !principal) throw new Error('The table names nobody')
    const found: string[] = []
    for (const [name, look] of Object.values(ways).flatMap((level) => Object.entries(level))) {
      const refusal: unknown = await look(world.as(principal), session).then(
        () => null,
        (error: unknown) => error,
      )
      if (refusal === null) found.push(name)
      else expect(refusal).toMatchObject({ code: expect.stringMatching(/^(forbidden|not_found)$/) })
    }
    expect(found).toEqual(open)
  })
})

test('a stream that was opened before the session was given personal secrets ends with them', async () => {
  const session = await newSession(world, project)
  const member = world.as((await addMember(world, project, 'member')).principal)
  const stream = await openSessionEvents(member, { ...session.key, after: 0 })
  const statuses: unknown[] = []
  const ended = (async () => {
    for await (const { event } of stream) statuses.push(event['status'])
  })()
  await world.queue.drain()
  await ended
  expect((await session.row()).holds_personal_secrets).toBe(true)
  expect(statuses).not.toContain('running')
})
