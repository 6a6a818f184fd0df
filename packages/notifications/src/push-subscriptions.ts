import { type Context, requireUser } from '@svc/context'
import { pushSubscriptions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { checkGivenTarget, RefusedTarget } from '@svc/outbound'
import { notificationKeys } from './keys.ts'

/** Browsers of one person. */
const maxSubscriptions = 10

/** As `PushSubscription.toJSON()` of the Push API has it. */
export interface BrowserSubscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** The key that a browser subscribes with, in base64url. */
export async function getPushKey(
  ctx: Pick<Context, 'db' | 'vault' | 'now' | 'principal' | 'trail'>,
): Promise<{ readonly public_key: string }> {
  requireUser(ctx)
  const { vapid } = await notificationKeys(ctx)
  return { public_key: vapid.public_key }
}

/** Pushes to this browser from now on. One that is known already gets its new keys. */
export async function subscribeToPush(
  ctx: Pick<Context, 'db' | 'principal' | 'trail' | 'settings' | 'now' | 'newId'>,
  { endpoint, keys: { p256dh, auth } }: BrowserSubscription,
) {
  const { user_id } = requireUser(ctx)
  checkKeys({ p256dh, auth })
  await checkEndpoint(endpoint, ctx.settings.outbound_addresses ?? [])
  const row = await ctx.db.transaction().execute(async (tx) => {
    const others = (await pushSubscriptions.list(tx, user_id)).filter((one) => one.endpoint !== endpoint)
    if (others.length >= maxSubscriptions)
      throw new ServiceError(
        'conflict',
        `You have ${maxSubscriptions} browsers that are pushed to; turn push off in one of them first`,
      )
    return pushSubscriptions.put(tx, {
      ...{ subscription_id: ctx.newId(), user_id, endpoint, p256dh, auth, created_at: ctx.now() },
    })
  })
  return { subscription_id: row.subscription_id, endpoint, created_at: row.created_at }
}

/** Pushes to this browser no more; it need not be known. */
export async function unsubscribeFromPush(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  { endpoint }: { readonly endpoint: string },
): Promise<void> {
  const { user_id } = requireUser(ctx)
  await pushSubscriptions.remove(ctx.db, user_id, endpoint)
}

/** The sizes of RFC 8291: a point of P-256, uncompressed, and 16 bytes. */
function checkKeys({ p256dh, auth }: BrowserSubscription['keys']): void {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== 65 || point[0] !== 4)
    throw refused('keys.p256dh', 'must be a point of P-256 in base64url', 'invalid_request')
  if (Buffer.from(auth, 'base64url').length !== 16)
    throw refused('keys.auth', 'must be 16 bytes in base64url', 'invalid_request')
}

async function checkEndpoint(text: string, open: readonly string[]): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '')
    throw refused('endpoint', 'must be the address that the browser gave', 'invalid_request')
  try {
    await checkGivenTarget(url, { open })
  } catch (error) {
    if (error instanceof RefusedTarget) throw refused('endpoint', error.message, 'address_not_allowed')
    throw error
  }
}

const refused = (path: string, message: string, code: 'invalid_request' | 'address_not_allowed') =>
  new ServiceError(code, `${path}: ${message}`, { issues: [{ path, message }] })
