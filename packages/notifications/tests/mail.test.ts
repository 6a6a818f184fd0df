import { notificationDigests } from '@svc/db'
import { mailDigests } from '@svc/notifications/worker'
import { addMember, makeProject, newSession, openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import {
  getNotificationSettings,
  listNotifications,
  readNotifications,
  unsubscribeFromMail,
  updateNotificationSettings,
} from '../src/index.ts'
import { ask, notificationWorker, withAddress } from './support.ts'

const world = await openWorld()

async function scene(worker: Awaited<ReturnType<typeof notificationWorker>>) {
  const project = await makeProject(world)
  const ada = await addMember(world, project, 'editor')
  const email = await withAddress(world, ada)
  const ctx = world.as(ada.principal)
  const session = await newSession(world, project, { name: 'Fix <the> typo' }, ctx)
  await world.queue.drain()
  const asked = async (...questions: readonly string[]) => {
    for (const question of questions) await ask(world, session, question)
    await worker.publish(project.account_id)
  }
  return { project, ada, ctx, email, asked }
}

test('what is unread for a while is one mail, at most one an hour, with the newest ten', async () => {
  const worker = await notificationWorker(world)
  const { email, asked } = await scene(worker)
  await asked(...Array.from({ length: 12 }, (_, n) => `Question ${n}`))
  await mailDigests(worker.ctx)
  expect(worker.mails).toEqual([])
  world.clock.advance(901_000)
  await mailDigests(worker.ctx)
  await mailDigests(worker.ctx)
  const [mail] = worker.mails
  expect(worker.mails).toHaveLength(1)
  expect(mail).toMatchObject({ to: email, subject: '12 notifications' })
  expect(mail?.text).toContain('Question 11')
  expect(mail?.text).toContain('Question 2\n')
  expect(mail?.text).not.toContain('Question 1\n')
  expect(mail?.text).toContain('and 2 more: https://svc.example.test/dashboard/notifications')
  expect(mail?.html).toContain('Fix &lt;the&gt; typo')
  expect(mail?.headers).toMatchObject({
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-Unsubscribe': expect.stringMatching(
      /^<https:\/\/svc\.example\.test\/v1\/notifications\/unsubscribe\?token=[0-9a-f]{32}\.[\w-]{43}>$/,
    ),
    'Auto-Submitted': 'auto-generated',
  })
  await asked('Once more?')
  world.clock.advance(1_000_000)
  await mailDigests(worker.ctx)
  expect(worker.mails).toHaveLength(1)
  world.clock.advance(2_700_000)
  await mailDigests(worker.ctx)
  expect(worker.mails.map(({ subject }) => subject)).toEqual([
    '12 notifications',
    'Fix <the> typo: Once more?',
  ])
})

test('nothing is mailed that was read, that is off, or to an address that takes none', async () => {
  const worker = await notificationWorker(world)
  const read = await scene(worker)
  const off = await scene(worker)
  const nowhere = await scene(worker)
  await withAddress(world, nowhere.ada, 'owner@svc.invalid')
  await updateNotificationSettings(off.ctx, { kinds: { needs_me: { email: false } } })
  for (const { asked } of [read, off, nowhere]) await asked('Which one?')
  await readNotifications(read.ctx, { all: true })
  world.clock.advance(901_000)
  await mailDigests(worker.ctx)
  expect(worker.mails).toEqual([])
})

test('people who want no mails stand in the way of none who do', async () => {
  const worker = await notificationWorker(world)
  const off = await Promise.all(Array.from({ length: 3 }, () => scene(worker)))
  const { email, asked } = await scene(worker)
  for (const one of off) {
    await one.asked('Which one?')
    await updateNotificationSettings(one.ctx, { kinds: { needs_me: { email: false } } })
  }
  await asked('Which one?')
  world.clock.advance(901_000)
  const now = world.clock.now()
  const rules = { now, unread_since: now, quiet_since: new Date(0), mailed: ['needs_me'] as const }
  const waiting = await notificationDigests.waiting(world.db, rules, 100)
  for (const { ada } of off) expect(waiting).not.toContain(ada.user_id)
  await mailDigests(worker.ctx)
  expect(worker.mails.map(({ to }) => to)).toEqual([email])
})

test('a mail that is not taken is tried again under the same Message-ID, without what was read meanwhile', async () => {
  let failures = 1
  const ids: (string | undefined)[] = []
  const worker = await notificationWorker(world, {
    refuse: ({ message_id }) => {
      ids.push(message_id)
      return failures-- > 0
    },
  })
  const { ctx, asked } = await scene(worker)
  await asked('First?', 'Second?')
  world.clock.advance(901_000)
  await mailDigests(worker.ctx)
  expect(worker.mails).toEqual([])
  const { notifications } = await listNotifications(ctx, { limit: 10 })
  await readNotifications(ctx, { ids: [notifications.at(-1)?.notification_id ?? ''] })
  await mailDigests(worker.ctx)
  expect(worker.mails).toEqual([])
  world.clock.advance(61_000)
  await mailDigests(worker.ctx)
  expect(worker.mails.map(({ subject }) => subject)).toEqual(['Fix <the> typo: Second?'])
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('a worker that dies after the mail was taken leaves it to the next one, under the same Message-ID', async () => {
  const worker = await notificationWorker(world)
  const { asked } = await scene(worker)
  await asked('Which one?')
  world.clock.advance(901_000)
  const finish = new Error('killed')
  const db = world.db
  // The mail goes out, and the row of it is never written.
  const dying = {
    ...worker.ctx,
    db: new Proxy(db, {
      get: (target, name) => {
        if (name === 'transaction' && worker.mails.length > 0) throw finish
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    }),
  }
  await expect(mailDigests(dying)).rejects.toBe(finish)
  await mailDigests(worker.ctx)
  expect(worker.mails).toHaveLength(1)
  world.clock.advance(121_000)
  await mailDigests(worker.ctx)
  await mailDigests(worker.ctx)
  expect(worker.mails).toHaveLength(2)
  expect(worker.mails[0]).toEqual(worker.mails[1])
})

test('a mail that is never taken is given up after five tries', async () => {
  let tries = 0
  const worker = await notificationWorker(world, {
    refuse: () => {
      tries += 1
      return true
    },
  })
  const { asked } = await scene(worker)
  await asked('Which one?')
  world.clock.advance(901_000)
  for (let n = 0; n < 8; n++) {
    await mailDigests(worker.ctx)
    world.clock.advance(3_600_000)
  }
  expect(tries).toBe(5)
  expect(await notificationDigests.claim(world.db, { now: world.clock.now(), lease_ms: 1 })).toBeUndefined()
})

test('the link of a mail ends the mails of its person, without a sign-in, and nothing else', async () => {
  const worker = await notificationWorker(world)
  const { ctx, asked } = await scene(worker)
  const other = await scene(worker)
  await asked('Which one?')
  world.clock.advance(901_000)
  await mailDigests(worker.ctx)
  const link = worker.mails[0]?.headers?.['List-Unsubscribe'] ?? ''
  const token = new URL(link.slice(1, -1)).searchParams.get('token') ?? ''
  for (const wrong of [`${token}x`, `${'0'.repeat(32)}${token.slice(32)}`, 'x', ''])
    await expect(unsubscribeFromMail(world.base, { token: wrong })).rejects.toMatchObject({
      code: 'not_found',
    })
  await unsubscribeFromMail(world.base, { token })
  const { kinds } = await getNotificationSettings(ctx)
  expect(Object.values(kinds).map(({ email, in_app }) => [email, in_app])).toEqual(
    Array.from({ length: 8 }, () => [false, true]),
  )
  expect((await getNotificationSettings(other.ctx)).kinds.needs_me.email).toBe(true)
  world.clock.advance(3_600_000)
  await asked('And now?')
  world.clock.advance(901_000)
  await mailDigests(worker.ctx)
  expect(worker.mails).toHaveLength(1)
})
