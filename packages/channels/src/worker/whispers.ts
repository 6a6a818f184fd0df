import { randomBytes } from 'node:crypto'
import { channelLimits, type Sender } from '@svc/channel'
import { tokenHash } from '@svc/context'
import type { Db } from '@svc/db'
import { channelLinks, channelMessages, type ChannelRow } from '@svc/db/channels'
import type { ChannelWorkerContext } from '../context.ts'
import { sealFor } from '../sealing.ts'

/** The place beside which one person is told something. */
export interface Beside {
  readonly conversation: string
  readonly root: string
  readonly sender: Sender
}

type Writing = Pick<ChannelWorkerContext, 'now' | 'newId' | 'vault'>

/** Says something to one person alone; once for each key. */
export async function whisper(
  ctx: Writing,
  tx: Db,
  channel: ChannelRow,
  { conversation, root, sender }: Beside,
  { text, key }: { readonly text: string; readonly key: string },
): Promise<void> {
  const { channel_id, account_id, project_id } = channel
  await channelMessages.insert(
    tx,
    { channel_id, account_id, project_id, conversation, root },
    { message_id: ctx.newId(), kind: 'notice', body: { text }, recipient: sender, idempotency_key: key },
    ctx.now(),
  )
}

/** Offers a sender the link that makes them known; at most one in ten minutes. Its token is sealed until it is sent. */
export async function offerLink(
  ctx: Writing,
  tx: Db,
  channel: ChannelRow,
  { conversation, root, sender }: Beside,
  delivery_id: string | null,
): Promise<void> {
  const { channel_id, account_id, project_id } = channel
  const [token, now] = [`svc_chl_${randomBytes(24).toString('base64url')}`, ctx.now()]
  const isNew = await channelLinks.offer(tx, {
    ...{ token_hash: tokenHash(token), channel_id, tenant: sender.tenant, external_user: sender.id },
    ...{ display: sender.display, delivery_id, created_at: now, used_at: null },
    expires_at: new Date(now.getTime() + channelLimits.linkMinutes * 60_000),
  })
  if (!isNew) return
  const message_id = ctx.newId()
  await channelMessages.insert(
    tx,
    { channel_id, account_id, project_id, conversation, root },
    {
      ...{ message_id, kind: 'link', recipient: sender },
      body: {
        text: `I do not know yet who you are here. Link yourself within ${channelLimits.linkMinutes} minutes${delivery_id === null ? ', then do it once more.' : ': what you wrote starts by itself then.'}`,
      },
      subject: { type: 'link', sealed_token: sealFor(ctx, channel, `link/${message_id}`, token) },
    },
    now,
  )
}
