import { type NotificationDigestRow, notificationDigests } from '@svc/db'
import { defaultNotification, notificationKinds } from '@svc/facts'
import type { MailTransport } from '@svc/mail'
import { backOffMs } from '@svc/timing'
import { notificationKeys } from '../keys.ts'
import { unsubscribeToken } from '../unsubscribe.ts'
import type { NotificationWorkerContext } from './context.ts'
import { digestMail } from './digest-mail.ts'

/** People whose mails one look begins. */
const atOnce = 50
/** Longer than a mail server takes with its own tries. */
const leaseMs = 120_000
const maxAttempts = 5
const firstPauseMs = 60_000
const maxPauseMs = 3_600_000

const mailed = notificationKinds.filter((kind) => defaultNotification(kind, 'email'))

/**
 * Mails what is unread for a while, to each person at most one mail in a while. The mail is a row before it is sent: a
 * worker that dies after the server took it and before its row sends it again under the same `Message-ID`.
 */
export async function mailDigests(ctx: NotificationWorkerContext): Promise<void> {
  const { mail } = ctx
  if (mail === undefined) return
  await beginDigests(ctx)
  const next = () => notificationDigests.claim(ctx.db, { now: ctx.now(), lease_ms: leaseMs })
  for (let digest = await next(); digest && !ctx.signal.aborted; digest = await next())
    await sendDigest(ctx, mail, digest)
}

async function beginDigests(ctx: NotificationWorkerContext): Promise<void> {
  const { digest_after_seconds, digest_every_seconds } = ctx.notification_settings
  const now = ctx.now()
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  const rules = {
    ...{ now, mailed },
    unread_since: before(digest_after_seconds),
    quiet_since: before(digest_every_seconds),
  }
  for (const user_id of await notificationDigests.waiting(ctx.db, rules, atOnce))
    await ctx.db
      .transaction()
      .execute((tx) => notificationDigests.begin(tx, { user_id, digest_id: ctx.newId() }, rules))
}

async function sendDigest(
  ctx: NotificationWorkerContext,
  mail: MailTransport,
  { digest_id, user_id, attempts }: NotificationDigestRow,
): Promise<void> {
  const content = await notificationDigests.content(ctx.db, digest_id)
  if (content !== undefined && content.notifications.length > 0) {
    const { unsubscribe_key } = await notificationKeys(ctx)
    const unsubscribe_token = unsubscribeToken(unsubscribe_key, user_id)
    try {
      await mail.send(digestMail(ctx.settings, { digest_id, ...content, unsubscribe_token }))
    } catch (error) {
      return failDigest(ctx, { digest_id, attempts }, error)
    }
    ctx.metrics.count('svc_notification_mails_total', { outcome: 'sent' })
  }
  await ctx.db.transaction().execute((tx) => notificationDigests.finish(tx, digest_id, ctx.now()))
}

async function failDigest(
  ctx: NotificationWorkerContext,
  { digest_id, attempts }: { readonly digest_id: string; readonly attempts: number },
  cause: unknown,
): Promise<void> {
  const error = cause instanceof Error ? cause.message : 'The mail was not taken'
  const isLast = attempts >= maxAttempts
  ctx.metrics.count('svc_notification_mails_total', { outcome: isLast ? 'given_up' : 'failed' })
  ctx.log.warn({ digest_id, attempts, err: cause }, 'A mail with notifications was not taken')
  const next_at = isLast
    ? null
    : new Date(ctx.now().getTime() + backOffMs(attempts - 1, firstPauseMs, maxPauseMs))
  await notificationDigests.fail(ctx.db, digest_id, error.slice(0, 500), next_at)
}
