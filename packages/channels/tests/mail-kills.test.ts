import { channelMessages, channelThreads } from '@svc/db/channels'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { sendMessages, workDeliveries } from '../src/worker/index.ts'
import { untilOneLives } from './dying-worker.ts'
import { openMailStage } from './mail-support.ts'

const world = await openWorld({ session_cap: 5_000 })
const ignored = () => undefined

test('a mail is kept before it is acknowledged: before whichever query the worker dies, the server sends again and it is one prompt', async () => {
  const stage = await openMailStage(world)
  await stage.link(stage.project.owner)
  const queries = await untilOneLives(stage.worker, async (n, worker) => {
    const door = await stage.listen(worker)
    const mail = { subject: `The shop ${n}`, text: 'begin', id: `begin-${n}@example.org` }
    const taken = await stage.deliver(mail, door.border).then(
      () => true,
      (error: Error) => {
        expect(error.message).toMatch(/451/)
        return false
      },
    )
    await door.close()
    return async () => {
      const kept = (await stage.deliveries()).filter(({ message_key }) => message_key === mail.id)
      if (taken) expect(kept).toHaveLength(1)
      // The mail server tries again what it saw no 250 for, and another one after an answer that was lost.
      await stage.deliver(mail)
      world.clock.advance(600_000)
      await stage.run()
      const begun = (await stage.sessionsHere()).filter(({ name }) => name === mail.subject)
      expect(begun).toHaveLength(1)
      expect(await stage.prompts(begun[0]?.session_id ?? '')).toHaveLength(1)
    }
  })
  expect(queries).toBeGreaterThan(2)
}, 120_000)

test('a mail is worked once, before whichever query its worker dies', async () => {
  const stage = await openMailStage(world)
  await stage.link(stage.project.owner)
  const queries = await untilOneLives(stage.worker, async (n, worker) => {
    await stage.deliver({ subject: `Re: The shop ${n}`, text: 'work' })
    await workDeliveries(worker, stage.channel_id, 1).catch(ignored)
    return async () => {
      world.clock.advance(600_000)
      await stage.run()
      const begun = (await stage.sessionsHere()).filter(({ name }) => name === `The shop ${n}`)
      expect(begun).toHaveLength(1)
      expect(await stage.prompts(begun[0]?.session_id ?? '')).toHaveLength(1)
    }
  })
  expect(queries).toBeGreaterThan(15)
}, 120_000)

test('a mail that may have gone out goes out again under the same Message-ID, and none is left out', async () => {
  const stage = await openMailStage(world)
  await stage.link(stage.project.owner)
  await stage.deliver({ text: 'Begin' })
  await stage.run()
  const [thread] = await stage.threads()
  const put = async (text: string): Promise<string> => {
    const message_id = world.base.newId()
    await world.db.transaction().execute(async (tx) => {
      const locked = await channelThreads.lock(tx, thread?.thread_id ?? '')
      if (locked === undefined) throw new Error('The thread is lost')
      await channelMessages.append(
        tx,
        locked,
        { message_id, kind: 'notice', body: { text } },
        world.clock.now(),
      )
    })
    return message_id
  }
  const expected: string[] = []
  const queries = await untilOneLives(stage.worker, async (n, worker) => {
    expected.push(await put(`word ${n}`))
    await sendMessages(worker, stage.channel_id).catch(ignored)
    return async () => {
      // An hour has room for ten of them.
      for (const ms of [31_000, 3_600_000]) {
        world.clock.advance(ms)
        await sendMessages(stage.worker, stage.channel_id)
      }
    }
  })
  // The answer of the server is lost.
  stage.sink.fault.lose = 1
  expected.push(await put('lost'))
  await sendMessages(stage.worker, stage.channel_id)
  world.clock.advance(60_000)
  await sendMessages(stage.worker, stage.channel_id)
  const ids = stage.sink.mails.map(({ messageId }) => messageId)
  expect(ids.filter((id) => id === ids.at(-1))).toHaveLength(2)
  expect(new Set(ids)).toEqual(new Set(expected.map((id) => `<${id}@agents.example.net>`)))
  expect([...new Set(ids)]).toEqual(expected.map((id) => `<${id}@agents.example.net>`))
  expect(queries).toBeGreaterThan(5)
}, 120_000)
