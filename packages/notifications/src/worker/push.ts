import { pageUrl } from '@svc/context'
import { type NotificationRow, notifications, type PushSubscriptionRow, pushSubscriptions } from '@svc/db'
import { request } from 'undici'
import webPush from 'web-push'
import { notificationKeys, type NotificationKeys } from '../keys.ts'
import type { NotificationWorkerContext } from './context.ts'

const atOnce = 16
const leaseMs = 60_000
const tryMs = 10_000
const dayS = 86_400
/** In a row, after which a browser is forgotten. */
const maxFailures = 5

/**
 * Pushes what is owed to the browsers of people (RFC 8030, encrypted by RFC 8291). A worker that dies in between leaves the
 * row to the next one; the browser shows the later push in the place of the one before.
 */
export async function pushNotifications(ctx: NotificationWorkerContext): Promise<void> {
  for (;;) {
    const due = { now: ctx.now(), lease_ms: leaseMs, limit: atOnce }
    const rows = await notifications.claimPushes(ctx.db, due)
    if (rows.length === 0) return
    const { vapid } = await notificationKeys(ctx)
    await Promise.all(rows.map((row) => pushToAll(ctx, row, vapid)))
    if (ctx.signal.aborted) return
  }
}

async function pushToAll(
  ctx: NotificationWorkerContext,
  row: NotificationRow,
  vapid: NotificationKeys['vapid'],
): Promise<void> {
  const browsers = await pushSubscriptions.list(ctx.db, row.user_id)
  await Promise.all(browsers.map((browser) => pushTo(ctx, browser, row, vapid)))
  if (!ctx.signal.aborted) await notifications.endPush(ctx.db, row.notification_id)
}

async function pushTo(
  ctx: NotificationWorkerContext,
  browser: PushSubscriptionRow,
  row: NotificationRow,
  vapid: NotificationKeys['vapid'],
): Promise<void> {
  const status = await send(ctx, browser, row, vapid)
  // Another worker tries again.
  if (ctx.signal.aborted) return
  const taken = status !== null && status >= 200 && status < 300
  ctx.metrics.count('svc_notification_pushes_total', { outcome: taken ? 'sent' : 'failed' })
  if (taken) return pushSubscriptions.clearFailures(ctx.db, browser.subscription_id)
  const isGone = status === 404 || status === 410
  if (isGone || (await pushSubscriptions.countFailure(ctx.db, browser.subscription_id)) >= maxFailures)
    await pushSubscriptions.drop(ctx.db, browser.subscription_id)
}

/** The status of the answer; null where there was none. */
async function send(
  { settings, wire, signal, log }: NotificationWorkerContext,
  { subscription_id, endpoint, p256dh, auth }: PushSubscriptionRow,
  row: NotificationRow,
  { public_key, private_key }: NotificationKeys['vapid'],
): Promise<number | null> {
  const { notification_id, session_id, kind, title, text, path } = row
  const payload = {
    notification_id,
    kind,
    title,
    text,
    url: pageUrl(settings, path),
    tag: session_id ?? notification_id,
  }
  try {
    const details = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(payload),
      {
        vapidDetails: {
          subject: subjectOf(settings.api_url),
          publicKey: public_key,
          privateKey: private_key,
        },
        TTL: dayS,
        urgency: kind === 'needs_me' ? 'high' : 'normal',
        // At most 32 characters of base64url: a session's own take the place of one another while the browser is away.
        topic: (session_id ?? notification_id).replaceAll('-', ''),
        contentEncoding: 'aes128gcm',
      },
    )
    const { statusCode, body } = await request(endpoint, {
      method: 'POST',
      dispatcher: wire,
      headers: Object.fromEntries(
        Object.entries(details.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: details.body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(tryMs)]),
    })
    await body.dump({ limit: 16 * 1024 })
    return statusCode
  } catch (err) {
    log.warn({ err, subscription_id }, 'A push was not taken')
    return null
  }
}

/** A contact for the push service: the platform's page, or where that is on this machine alone an address of no mailbox. */
function subjectOf(api_url: string): string {
  const { protocol, origin } = new URL(api_url)
  return protocol === 'https:' ? origin : 'mailto:noreply@svc.invalid'
}
