import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { openStage } from './support.ts'

const world = await openWorld({ session_cap: 500 })

/** A thread of Ada's with a session that runs. */
async function begun() {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  const root = stage.mention(ada, 'begin')
  await stage.run()
  await world.queue.drain()
  await stage.run()
  const [session] = await stage.sessionsHere()
  const { session_id = '' } = session ?? {}
  const say = (text: string) =>
    stage.slack.say({ conversation: stage.general, user: ada, text, thread_ts: root })
  return { stage, ada, root, session_id, say }
}

test('Stop ends the turn in the name of who presses it', async () => {
  const { stage, ada, root } = await begun()
  const [progress] = stage.said(root)
  world.daemon.asked.length = 0
  await stage.slack.press(stage.general, progress?.ts ?? '', { user: ada, button: 'Stop' })
  await stage.run()
  expect((await stage.deliveries()).at(-1)).toMatchObject({ verdict: 'accepted', reason: null })
  expect(world.daemon.asked.filter(({ path }) => path === '/svc/abort')).toHaveLength(1)
})

test('a message that is deleted takes back its prompt while that waits, and no edit is another prompt', async () => {
  const { stage, session_id, say } = await begun()
  const words = async () =>
    (await stage.prompts(session_id)).map(({ text, state }) => `${text.split('\n')[2]}: ${state}`)
  const kept = say('first')
  // Two that are posted at once may arrive in either order.
  await stage.slack.settled()
  const gone = say('second')
  await stage.run()
  expect((await words()).slice(1)).toEqual(['first: pending', 'second: pending'])
  stage.slack.remove(stage.general, gone)
  stage.slack.change(stage.general, kept, 'first, in other words')
  await stage.run()
  expect((await words()).slice(1)).toEqual(['first: pending', 'second: cancelled'])
  const [edited, deleted] = (await stage.deliveries()).slice(-2).sort((a, b) => (a.kind < b.kind ? 1 : -1))
  expect(deleted).toMatchObject({ kind: 'deleted', verdict: 'accepted' })
  expect(edited).toMatchObject({ kind: 'message', verdict: 'ignored', reason: 'edited' })
})

test('one that is deleted while it waits for its writer or for the owner of the thread never starts', async () => {
  const { stage, root, session_id } = await begun()
  const stranger = stage.slack.workspace.addUser('Sam')
  const said = stage.mention(stranger, 'let me in', root)
  await stage.run()
  expect((await stage.deliveries()).at(-1)).toMatchObject({ verdict: 'held' })
  stage.slack.remove(stage.general, said)
  await stage.run()
  const verdicts = (await stage.deliveries()).slice(-2).map(({ verdict, reason }) => ({ verdict, reason }))
  expect(verdicts).toEqual([
    { verdict: 'refused', reason: 'deleted' },
    { verdict: 'accepted', reason: null },
  ])
  expect(await stage.prompts(session_id)).toHaveLength(1)
})
