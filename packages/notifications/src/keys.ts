import { randomBytes } from 'node:crypto'
import type { BaseContext } from '@svc/context'
import { notifications } from '@svc/db'
import { notificationKeysPlace } from '@svc/services'
import webPush from 'web-push'
import { z } from 'zod'

const Keys = z.object({
  /** The pair that browsers know the deployment by (VAPID, RFC 8292), each half in base64url. */
  vapid: z.object({ public_key: z.string(), private_key: z.string() }),
  /** Signs the links of mails that end them. */
  unsubscribe_key: z.string(),
})

export type NotificationKeys = z.infer<typeof Keys>
type KeyContext = Pick<BaseContext, 'db' | 'vault' | 'now'>

/** Made once, by whichever process asks first, and the same for all of them from then on. */
export async function notificationKeys(ctx: KeyContext): Promise<NotificationKeys> {
  const row = (await notifications.findKeys(ctx.db)) ?? (await notifications.insertKeys(ctx.db, newKeys(ctx)))
  const data_key = ctx.vault.openDataKey(row.sealed_key, notificationKeysPlace)
  return Keys.parse(
    JSON.parse(ctx.vault.open(data_key, [...notificationKeysPlace, 'keys'], row.sealed_value)),
  )
}

function newKeys(ctx: KeyContext) {
  const { data_key, sealed } = ctx.vault.createDataKey(notificationKeysPlace)
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  const keys: NotificationKeys = {
    vapid: { public_key: publicKey, private_key: privateKey },
    unsubscribe_key: randomBytes(32).toString('base64url'),
  }
  const sealed_value = ctx.vault.seal(data_key, [...notificationKeysPlace, 'keys'], JSON.stringify(keys))
  return { sealed_key: sealed, sealed_value, created_at: ctx.now() }
}
