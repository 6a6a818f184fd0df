import { randomUUID } from 'node:crypto'
import { guardedAgent } from '@svc/outbound'
import type { Mail } from '@svc/mail'
import { type NotificationWorkerContext, notifyPeople } from '@svc/notifications/worker'
import { platformEvents, sessionAsks } from '@svc/db'
import type { Context } from '@svc/context'
import { databasesOf, type Person, type TestSession, type World } from '@svc/services/testing'
import { afterAll } from 'vitest'
import { listNotifications } from '../src/index.ts'

/** A worker of notifications in this process, which does what the test says and nothing by itself. */
export async function notificationWorker(
  world: World,
  { refuse = () => false }: { readonly refuse?: (mail: Mail) => boolean } = {},
) {
  const { channel: db } = await databasesOf(world)
  const mails: Mail[] = []
  const wire = guardedAgent(
    { open: ['127.0.0.0/8'] },
    { connect_ms: 5_000, headers_ms: 5_000, body_ms: 5_000 },
  )
  afterAll(() => wire.destroy())
  const ctx: NotificationWorkerContext = {
    ...world.worker({ db }),
    wire,
    mail: {
      async send(mail) {
        if (refuse(mail)) throw new Error('not now')
        mails.push(mail)
      },
      close: async () => undefined,
    },
    notification_settings: { keep_days: 90, digest_after_seconds: 900, digest_every_seconds: 3600 },
  }
  /** Publishes what happened in the account, and tells people. */
  const publish = (account_id: string) =>
    db.transaction().execute(async (tx) => {
      const last_seq = await platformEvents.lockHead(tx, account_id)
      const events = await platformEvents.publish(tx, {
        account_id,
        last_seq,
        now: world.clock.now(),
        limit: 500,
      })
      await notifyPeople(ctx, tx, events)
    })
  return { ctx, mails, publish }
}

export async function told(ctx: Context, unread = false) {
  const { notifications } = await listNotifications(ctx, { limit: 100, unread })
  return notifications.map(({ kind, title, text, read_at }) => ({
    kind,
    title,
    text,
    read: read_at !== null,
  }))
}

/** An agent that asks; the id of what it asked. */
export async function ask(
  world: World,
  { session_id }: Pick<TestSession, 'session_id'>,
  question = 'Which one?',
) {
  const request_id = randomUUID()
  const payload = { request_id, state: 'asked', questions: [{ question }] }
  await world.db
    .transaction()
    .execute((tx) =>
      sessionAsks.record(tx, session_id, [{ type: 'question', at: world.clock.now(), payload }]),
    )
  return request_id
}

/** Gives the person an address that takes mails. */
export async function withAddress(world: World, person: Person, email = `${person.user_id}@example.com`) {
  await world.db.updateTable('users').set({ email }).where('user_id', '=', person.user_id).execute()
  return email
}
