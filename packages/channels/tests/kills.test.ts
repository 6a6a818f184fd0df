import { channelMessages, channelThreads } from '@svc/db/channels'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { putWords } from '../src/outlet.ts'
import { sendMessages, workDeliveries } from '../src/worker/index.ts'
import { dyingWorker, untilOneLives } from './dying-worker.ts'
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

test('files are kept once and given to the prompt of their message, before whichever query a worker dies', async () => {
  const stage = await openStage(world)
  const { slack, general: conversation } = stage
  const ada = await stage.linked('Ada', stage.project.owner)
  const say = (text: string, thread_ts?: string) => {
    const files = ['a.txt', 'a.txt'].map((name) => slack.file(name, 'text/plain', Buffer.from(text)))
    const said = { conversation, user: ada, text: `<@${slack.bot.user_id}> ${text}`, files }
    return slack.say(thread_ts === undefined ? said : { ...said, thread_ts })
  }
  const queries = await untilOneLives(stage.worker, async (n, worker) => {
    // Of two, one begins a thread and the other goes on in it; the worker dies in either.
    const root = say(`begin ${n}`)
    await slack.settled()
    await workDeliveries(worker, stage.channel_id, 1).catch(ignored)
    return async () => {
      world.clock.advance(600_000)
      await stage.run()
      say(`go on ${n}`, root)
      await slack.settled()
      await workDeliveries(dyingWorker(stage.worker, n).worker, stage.channel_id, 1).catch(ignored)
      world.clock.advance(600_000)
      await stage.run()
      const given = await world.db
        .selectFrom('channel_files as f')
        .innerJoin('channel_deliveries as d', 'd.delivery_id', 'f.delivery_id')
        .innerJoin('session_prompts as p', (join) =>
          join.onRef('p.session_id', '=', 'f.session_id').onRef('p.dedupe_key', '=', 'f.prompt_key'),
        )
        .select(['f.name', 'f.content', 'd.prompt_id as of_message', 'p.prompt_id as of_file'])
        .where('d.thread_key', '=', `${conversation.id}:${root}`)
        .orderBy('d.position')
        .orderBy('f.position')
        .execute()
      expect(given.map(({ name, content }) => `${name}: ${content?.toString()}`)).toEqual(
        [`begin ${n}`, `go on ${n}`].flatMap((text) => [`a.txt: ${text}`, `a-2.txt: ${text}`]),
      )
      expect(given.map(({ of_file }) => of_file)).toEqual(given.map(({ of_message }) => of_message))
    }
  })
  expect(queries).toBeGreaterThan(20)
})

test('a file arrives once, before whichever query its worker dies', async () => {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  const root = stage.mention(ada, 'begin')
  await stage.run()
  const [thread] = await world.db
    .selectFrom('channel_threads')
    .selectAll()
    .where('channel_id', '=', stage.channel_id)
    .execute()
  if (thread === undefined) throw new Error('The thread is lost')
  const sent: string[] = []
  const queries = await untilOneLives(stage.worker, async (n, worker) => {
    const name = `${n}.txt`
    sent.push(name)
    await putWords(world.base, thread, thread, {
      text: `here is ${n}`,
      files: [{ name, type: 'text/plain', content: Buffer.from(name) }],
    })
    await sendMessages(worker, stage.channel_id).catch(ignored)
    return async () => {
      for (const ms of [160_000, 6_000, 6_000]) {
        world.clock.advance(ms)
        await sendMessages(stage.worker, stage.channel_id)
      }
      const shown = stage.slack.posts(stage.general, root).flatMap(({ files = [] }) => files)
      expect(shown.map((file) => file.name)).toEqual(sent)
    }
  })
  expect(queries).toBeGreaterThan(5)
})
