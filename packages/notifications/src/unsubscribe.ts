import { createHmac, timingSafeEqual } from 'node:crypto'
import type { BaseContext } from '@svc/context'
import { notificationSettings } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { notificationKinds } from '@svc/facts'
import { notificationKeys } from './keys.ts'

const tokenPattern = /^([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/

/** The token of a link in a mail: the person, signed. It ends their mails, and does nothing else. */
export function unsubscribeToken(unsubscribe_key: string, user_id: string): string {
  const person = user_id.replaceAll('-', '')
  return `${person}.${signature(unsubscribe_key, person).toString('base64url')}`
}

const signature = (key: string, person: string): Buffer =>
  createHmac('sha256', key).update(`unsubscribe ${person}`).digest()

/** Turns every mail with notifications off for the person of the link, who need not be signed in. */
export async function unsubscribeFromMail(
  ctx: Pick<BaseContext, 'db' | 'vault' | 'now'>,
  { token }: { readonly token: string },
): Promise<void> {
  const user_id = await personOf(ctx, token)
  if (user_id === null)
    throw new ServiceError(
      'not_found',
      'This link is not one of ours; turn mails off in the settings of the dashboard, or with svc notifications settings',
    )
  await notificationSettings.put(
    ctx.db,
    user_id,
    notificationKinds.map((kind) => ({ kind, way: 'email' as const, is_on: false })),
  )
}

async function personOf(
  ctx: Pick<BaseContext, 'db' | 'vault' | 'now'>,
  token: string,
): Promise<string | null> {
  const [, person = '', given = ''] = tokenPattern.exec(token) ?? []
  if (person === '') return null
  const { unsubscribe_key } = await notificationKeys(ctx)
  if (!timingSafeEqual(signature(unsubscribe_key, person), Buffer.from(given, 'base64url'))) return null
  return person.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
