import { notificationDigests } from '@svc/db'
import { notificationKinds } from '@svc/facts'
import { backOffMs } from '@svc/timing'
import { notificationKeys } from '../keys.ts'
import { settingsReader } from '../settings.ts'
import { unsubscribeToken } from '../unsubscribe.ts'
import type { NotificationWorkerContext } from './context.ts'
import { digestMail } from './digest-mail.ts'

/** Mails that one look takes up. */
const atOnce = 50
/** Longer than a mail server takes with its own tries. */
const leaseMs = 120_000
const maxAttempts = 5
const firstPauseMs = 60_000
const maxPauseMs = 3_600_000

/**
 * Mails what is unread for a while, to each person at most one mail in a while. The mail is a row before it is sent: a
 * worker that dies after the server took it and before its row sends it again under the same `Message-ID`.
 */
export async function mailDigests(ctx: NotificationWorkerContext): Promise<void> {
  const { mail } = ctx
  if (mail === undefined) return
  await beginDigests(ctx)
  const { unsubscribe_key } = await notificationKeys(ctx)
  const due = { now: ctx.now(), lease_ms: leaseMs, limit: atOnce }
  for (const { digest_id, user_id, attempts } of await notificationDigests.claim(ctx.db, due)) {
    if (ctx.signal.aborted) return
    const content = await notificationDigests.content(ctx.db, digest_id)
    if (content !== undefined && content.notifications.length > 0) {
      const unsubscribe_token = unsubscribeToken(unsubscribe_key, user_id)
      try {
        await mail.send(digestMail(ctx.settings, { digest_id, ...content, unsubscribe_token }))
        ctx.metrics.count('svc_notification_mails_total', { outcome: 'sent' })
      } catch (error) {
        await failDigest(ctx, { digest_id, attempts }, error)
        continue
      }
    }
    await ctx.db.transaction().execute((tx) => notificationDigests.finish(tx, digest_id, ctx.now()))
  }
}

async function beginDigests(ctx: NotificationWorkerContext): Promise<void> {
  const { digest_after_seconds, digest_every_seconds } = ctx.notification_settings
  const now = ctx.now()
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  const rules = {
    now,
    unread_since: before(digest_after_seconds),
    quiet_since: before(digest_every_seconds),
    limit: atOnce,
  }
  const waiting = await notificationDigests.waiting(ctx.db, rules)
  const isOn = await settingsReader(ctx.db, waiting)
  for (const user_id of waiting) {
    const kinds = notificationKinds.filter((kind) => isOn(user_id, kind, 'email'))
    await ctx.db
      .transaction()
      .execute((tx) => notificationDigests.begin(tx, { user_id, digest_id: ctx.newId(), kinds }, rules))
  }
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
