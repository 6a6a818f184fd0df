import { randomUUID } from 'node:crypto'
import { sessionEvents, sessionPrompts } from '@svc/db'
import { promptSources } from '@svc/session'
import { beforeEach, expect, test } from 'vitest'
import { deleteSession, promptSession, putPrompt, requestChanges, stopSession } from '../../src/index.ts'
import { addOwner } from '../../src/testing/people.ts'
import { makeProject, type TestProject } from '../../src/testing/projects.ts'
import { newSession, runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, ctx, owner } = project
beforeEach(() => world.queue.drop())

const prompt = { text: 'go', source: 'checks', dedupe_key: null, by: owner.user_id } as const
const promptsOf = ({ session_id }: TestSession) =>
  sessionPrompts.list(world.db, session_id, { after: 0, limit: 100 })
const eventsOf = async ({ session_id }: TestSession) =>
  (await sessionEvents.listAfter(world.db, session_id, 0, 200)).filter(({ type }) => type === 'prompt')
const put = async (
  session: TestSession,
  given: Parameters<typeof putPrompt>[3],
  of: TestProject = project,
) => {
  const row = await session.row()
  return world.db.transaction().execute((tx) => putPrompt(of.ctx, tx, row, given))
}
const stop = async (session: TestSession, of: TestProject = project) => {
  world.queue.live = true
  await stopSession(of.ctx, session.key)
  await world.queue.settled()
  world.queue.live = false
}

test('a prompt and its event name the same source, whichever way it came', async () => {
  const session = await runningSession(world, project, { initial_prompt: 'first' })
  await promptSession(ctx, { ...session.key, text: 'second' })
  await project.commit(session.session_id, { 'work.txt': 'w\n' })
  const cr = await project.propose('head-of-work', undefined, { session_id: session.session_id })
  await requestChanges(ctx, { project_id, cr: cr.cr_id, feedback: 'Rename it' })
  for (const source of promptSources) await put(session, { ...prompt, source })
  const rows = await promptsOf(session)
  expect(rows.map(({ source }) => source)).toEqual(['initial', 'user', 'request_changes', ...promptSources])
  expect((await eventsOf(session)).map(({ payload }) => payload)).toEqual(
    rows.map(({ prompt_id, text, source }) => ({ prompt_id, text, source })),
  )
})

test('a dedupe key counts once in a session', async () => {
  const session = await runningSession(world, project)
  const keyed = { ...prompt, dedupe_key: `checks:${randomUUID()}` }
  const first = await put(session, keyed)
  const again = await Promise.all([1, 2, 3].map(() => put(session, { ...keyed, text: 'again' })))
  expect(first).toMatchObject({ kind: 'put', jobs: [{ job: 'prompts.deliver' }] })
  for (const one of again) expect(one).toMatchObject({ kind: 'repeated', prompt: { text: 'go' } })
  expect(await promptsOf(session)).toHaveLength(1)
  expect(await eventsOf(session)).toHaveLength(1)
  expect(await put(await runningSession(world, project), keyed)).toMatchObject({ kind: 'put' })
})

test('two that come at once with one key are one', async () => {
  const session = await runningSession(world, project)
  await stop(session)
  const keyed = { ...prompt, dedupe_key: 'once' }
  const kinds = (await Promise.all([1, 2, 3].map(() => put(session, keyed)))).map(({ kind }) => kind)
  expect(kinds.sort()).toEqual(['put', 'repeated', 'repeated'])
  expect(await eventsOf(session)).toHaveLength(1)
})

test('it is written, and its session woken, in the transaction of the caller', async () => {
  const session = await runningSession(world, project)
  await stop(session)
  const row = await session.row()
  const undone = world.db.transaction().execute(async (tx) => {
    await putPrompt(ctx, tx, row, prompt)
    throw new Error('not this time')
  })
  await expect(undone).rejects.toThrow('not this time')
  expect(await promptsOf(session)).toEqual([])
  expect((await session.row()).status).toBe('stopped')
  expect(await put(session, prompt)).toMatchObject({
    jobs: [{ job: 'sandbox.provision' }, { job: 'prompts.deliver' }],
  })
  expect((await session.row()).status).toBe('provisioning')
})

test('without room to wake the session it is refused, or kept until there is', async () => {
  const own = await makeProject(world, await addOwner(world, 'free'))
  const session = await runningSession(world, own)
  await stop(session, own)
  for (let index = 0; index < 3; index += 1) await newSession(world, own)
  await expect(put(session, prompt, own)).rejects.toMatchObject({ code: 'session_limit_reached' })
  expect(await promptsOf(session)).toEqual([])
  expect(await put(session, { ...prompt, without_room: 'keep' }, own)).toMatchObject({
    jobs: [{ job: 'prompts.deliver' }],
  })
  expect((await session.row()).status).toBe('stopped')
  expect(await promptsOf(session)).toHaveLength(1)
})

test('a session that is gone gets none', async () => {
  const session = await runningSession(world, project)
  await deleteSession(ctx, session.key)
  expect(await put(session, prompt)).toEqual({ kind: 'gone' })
  expect(await promptsOf(session)).toEqual([])
})
