import type { Received } from '@svc/channel'
import type { Db } from '@svc/db'
import { channelMails, type ChannelRow } from '@svc/db/channels'

/** Mails that came with the token of a thread are of that thread; one with another token stays in none. */
export async function inTheirThreads(
  db: Db,
  { channel_id, platform }: Pick<ChannelRow, 'channel_id' | 'platform'>,
  received: readonly Received[],
): Promise<readonly Received[]> {
  if (platform !== 'email') return received
  const hashes = received.flatMap(({ body }) =>
    body.kind === 'message' && body.mail?.token_hash != null ? [body.mail.token_hash] : [],
  )
  const roots = await channelMails.rootsOf(db, channel_id, [...new Set(hashes)])
  return received.map((one) => {
    const { body } = one
    if (body.kind !== 'message') return one
    const root = roots.get(body.mail?.token_hash ?? '')
    return root === undefined ? one : { ...one, body: { ...body, root } }
  })
}
