import { channelMessages, channelThreads } from '@svc/db/channels'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { sendMessages, workDeliveries } from '../src/worker/index.ts'
import { untilOneLives } from './dying-worker.ts'
import { openStage } from './support.ts'

const world = await openWorld({ session_cap: 5_000 })

const ignored = () => undefined

test('a message is worked once, and starts one session with one prompt, before whichever query a worker dies', async () => {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  const queries = await untilOneLives(stage.worker, async (n, worker) => {
    const root = stage.mention(ada, `begin ${n}`)
    await stage.slack.settled()
    await workDeliveries(worker, stage.channel_id, 1).catch(ignored)
    return async () => {
      // Its lease runs out, and so does the hour in which a person begins ten sessions.
      world.clock.advance(600_000)
      await stage.run()
      stage.slack.say({ conversation: stage.general, user: ada, text: `go on ${n}`, thread_ts: root })
      await stage.run()
      const [thread, ...more] = await world.db
        .selectFrom('channel_threads')
        .selectAll()
        .where('root', '=', root)
        .execute()
      expect(more).toEqual([])
      const prompts = await stage.prompts(thread?.session_id ?? '')
      expect(prompts.map(({ text }) => text.split('\n')[2])).toEqual([`begin ${n}`, `go on ${n}`])
      expect(stage.said(root)).toHaveLength(1)
    }
  })
  expect(queries).toBeGreaterThan(20)
  expect((await stage.sessionsHere()).length).toBe(queries + 1)
  const verdicts = new Set((await stage.deliveries()).map(({ verdict }) => verdict))
  expect([...verdicts].sort()).toEqual(['accepted', 'ignored'])
})

test('messages arrive once and in order, before whichever query their worker dies', async () => {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  const root = stage.mention(ada, 'begin')
  await stage.run()
  const [thread] = await world.db
    .selectFrom('channel_threads')
    .selectAll()
    .where('channel_id', '=', stage.channel_id)
    .execute()
  const said: string[] = []
  const queries = await untilOneLives(stage.worker, async (n, worker) => {
    for (const text of [`first ${n}`, `second ${n}`]) {
      said.push(text)
      await world.db.transaction().execute(async (tx) => {
        const locked = await channelThreads.lock(tx, thread?.thread_id ?? '')
        if (locked === undefined) throw new Error('The thread is lost')
        const message = { message_id: world.base.newId(), kind: 'notice' as const, body: { text } }
        await channelMessages.append(tx, locked, message, world.clock.now())
      })
    }
    await sendMessages(worker, stage.channel_id).catch(ignored)
    return async () => {
      for (const ms of [31_000, 6_000, 6_000]) {
        world.clock.advance(ms)
        await sendMessages(stage.worker, stage.channel_id)
      }
      expect(
        stage
          .said(root)
          .map(({ text }) => text)
          .slice(1),
      ).toEqual(said)
    }
  })
  expect(queries).toBeGreaterThan(5)
})

test('an event is followed in its thread once, before whichever query the worker that publishes it dies', async () => {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  const root = stage.mention(ada, 'begin')
  await stage.run()
  const [session] = await stage.sessionsHere()
  const { session_id = '' } = session ?? {}
  await stage.project.propose('feature', undefined, { session_id, title: 'Add it' })
  await untilOneLives(stage.worker, async (_, worker) => {
    await stage.publish(worker).catch(ignored)
    return async () => undefined
  })
  await stage.run()
  expect(stage.said(root).filter(({ blocks }) => JSON.stringify(blocks).includes('Add it'))).toHaveLength(1)
})
