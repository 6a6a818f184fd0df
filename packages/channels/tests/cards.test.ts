import { randomUUID } from 'node:crypto'
import { sessionEvents } from '@svc/db'
import { updateChannel } from '../src/index.ts'
import { runMergeAttempt } from '@svc/services'
import { addMember, openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { openStage, type Stage } from './support.ts'

const world = await openWorld({ session_cap: 500 })

/** A thread of Ada's with a session that runs. */
async function begun(more: Parameters<typeof openStage>[1] = {}) {
  const stage = await openStage(world, more)
  const ada = await stage.linked('Ada', stage.project.owner)
  const root = stage.mention(ada, 'begin')
  await stage.run()
  await world.queue.drain()
  const [session] = await stage.sessionsHere()
  return { stage, ada, root, session_id: session?.session_id ?? '' }
}

async function ask(session_id: string, body: Readonly<Record<string, unknown>>, type = 'question') {
  const request_id = randomUUID()
  const payload = { request_id, state: 'asked', ...body }
  const event_id = `${type}:${request_id}`
  await sessionEvents.append(world.db, session_id, [{ type, at: world.clock.now(), payload, event_id }])
  return request_id
}

const cardOf = (stage: Stage, root: string, words: string) => {
  const found = stage.said(root).find((post) => JSON.stringify(post.blocks).includes(words))
  if (found === undefined) throw new Error(`There is no card with ${words}`)
  return found
}

test('a change request is a card that merges as the person who presses, with their rights, and shows who did it', async () => {
  const { stage, ada, root, session_id } = await begun()
  const { project, slack, general } = stage
  const { project_id } = project
  await project.propose('feature', undefined, { session_id, title: 'Add the feature' })
  await stage.run()
  const card = cardOf(stage, root, 'Add the feature')
  const reader = await stage.linked('Rita', await addMember(world, project, 'viewer'))
  await slack.press(general, card.ts, { user: reader, button: 'Merge' })
  await stage.run()
  expect(slack.workspace.ephemerals.at(-1)?.user).toBe(reader.id)
  expect(
    await world.db.selectFrom('merge_attempts').selectAll().where('project_id', '=', project_id).execute(),
  ).toEqual([])

  const pressed = slack.press(general, card.ts, { user: ada, button: 'Merge' })
  const working = pressed.then(() => stage.run())
  await expect
    .poll(() =>
      world.db
        .selectFrom('merge_attempts')
        .select('attempt_id')
        .where('project_id', '=', project_id)
        .execute(),
    )
    .toHaveLength(1)
  const [attempt] = await world.db
    .selectFrom('merge_attempts')
    .select('attempt_id')
    .where('project_id', '=', project_id)
    .execute()
  await runMergeAttempt(world.worker(), { attempt_id: attempt?.attempt_id ?? '' })
  await working
  await stage.run()
  expect(await project.git('show', 'main:feature.txt')).toBe('feature')
  const merged = cardOf(stage, root, 'Add the feature')
  expect(JSON.stringify(merged.blocks)).toContain('Merged by Owner')
  expect(JSON.stringify(merged.blocks)).not.toContain('Request changes')
  const rows = await world.db
    .selectFrom('audit_events')
    .select(['action', 'details'])
    .where('project_id', '=', project_id)
    .where('action', '=', 'mergeChangeRequest')
    .execute()
  expect(rows).toMatchObject([{ details: { channel: 'svc_chat_a' } }])
})

test('a question is answered by a button or by the box; the second who presses hears who was first', async () => {
  const { stage, ada, root, session_id } = await begun({ policy: 'project_open' })
  const { slack, general, project } = stage
  const bob = await stage.linked('Bob', await addMember(world, project, 'editor'))
  const options = [{ label: 'Red' }, { label: 'Blue' }]
  const request_id = await ask(session_id, { questions: [{ question: 'Which colour?', options }] })
  await stage.run()
  const card = cardOf(stage, root, 'Which colour?')
  world.daemon.asked.length = 0
  await slack.press(general, card.ts, { user: ada, button: 'Blue' })
  await slack.press(general, card.ts, { user: bob, button: 'Red' })
  await stage.run()
  const acts = world.daemon.asked.filter(({ path }) => path === '/svc/runtime/act')
  expect(acts).toMatchObject([{ body: { kind: 'question', answers: [['Blue']] } }])
  // The agent says so.
  const payload = { request_id, state: 'replied' }
  await sessionEvents.append(world.db, session_id, [{ type: 'question', at: world.clock.now(), payload }])
  await stage.run()
  const answered = JSON.stringify(cardOf(stage, root, 'Which colour?').blocks)
  expect(answered).toContain('Ada: Blue')
  expect(answered).not.toContain('"Red"')
  expect(slack.workspace.ephemerals.at(-1)).toMatchObject({
    user: bob.id,
    text: expect.stringContaining('Ada: Blue'),
  })
})

test('a press of somebody who is not linked changes nothing, and they are offered a link', async () => {
  const { stage, root, session_id } = await begun()
  const { slack, general } = stage
  await ask(session_id, { permission: 'bash', patterns: ['ls'] }, 'permission')
  await stage.run()
  const card = cardOf(stage, root, 'Wants to run ls')
  const stranger = slack.workspace.addUser('Sam')
  world.daemon.asked.length = 0
  await slack.press(general, card.ts, { user: stranger, button: 'Once' })
  await stage.run()
  expect(world.daemon.asked.filter(({ path }) => path === '/svc/runtime/act')).toEqual([])
  expect(stage.tokenOf(stranger)).not.toBe('')
  // A press does not start by itself once its sender is linked.
  expect(slack.workspace.ephemerals.at(-1)?.text).toContain('then do it once more')
})

test('settings of a conversation say which agent and whose words count there', async () => {
  const { stage } = await begun()
  const owner = stage.asPerson(stage.project.owner)
  const { project_id } = stage.project
  const conversations = { [stage.general.id]: { name: 'general', policy: 'owner_only' as const } }
  await updateChannel(owner, { project_id, slug: 'svc_chat_a', conversations })
  const ada = await stage.linked('Ada two', stage.project.owner)
  const bob = await stage.linked('Bob', await addMember(world, stage.project, 'editor'))
  const root = stage.mention(ada, 'mine')
  await stage.run()
  stage.slack.say({ conversation: stage.general, user: bob, text: 'mine too', thread_ts: root })
  await stage.run()
  expect(stage.slack.workspace.ephemerals.at(-1)).toMatchObject({
    user: bob.id,
    text: 'Only the person who began this thread speaks to its agent; begin one of your own.',
  })
})
