import { MessageDeferred } from '@svc/channel'
import type { BaseContext } from '@svc/context'
import {
  type ChannelDeliveryRow,
  channelLinks,
  channelMails,
  channelMessages,
  type ChannelMessageRow,
  type ChannelRow,
  channelThreads,
  type ChannelThreadRow,
} from '@svc/db/channels'
import { type Correspondence, type Letter, mailLimits } from '@svc/mail-channel'
import { externalKey } from '../external-key.ts'
import { threadToken } from './tokens.ts'

type Reading = Pick<BaseContext, 'db' | 'vault' | 'now'>

const hourMs = 3_600_000
const deferMs = 300_000

/** The mails of a channel, as its rows have them. */
export const correspondenceOf = (ctx: Reading, channel: ChannelRow): Correspondence => ({
  async inThread(root, message_id) {
    const message = await channelMessages.find(ctx.db, message_id)
    const thread = message?.thread_id ? await channelThreads.findById(ctx.db, message.thread_id) : undefined
    if (message === undefined || thread === undefined) return null
    const { answered, to } = await readerOf(ctx, message, thread)
    if (to === null) return null
    await requireRoom(ctx, { channel, root, to })
    return letter(answered, to, threadToken(ctx, channel, root))
  },

  async toSender(root, sender) {
    const { channel_id } = channel
    const place = { channel_id, sender, thread_key: `${localOf(channel)}:${root}` }
    const answered = await channelMails.lastOfSender(ctx.db, place)
    const external_key = externalKey(ctx, channel, { conversation: localOf(channel), root })
    const thread = await channelThreads.find(ctx.db, { channel_id, external_key })
    await requireRoom(ctx, { channel, root, to: sender })
    return letter(answered, sender, thread === undefined ? null : threadToken(ctx, channel, root))
  },
})

const localOf = ({ identity }: ChannelRow): string => identity?.user_id.split('@')[0] ?? ''

/** An answer goes to who asked, a question of rights to who began the thread, all else to who wrote last. */
async function readerOf(
  { db }: Reading,
  { subject, subject_key }: ChannelMessageRow,
  { thread_id, owner_link_id }: ChannelThreadRow,
): Promise<{ readonly answered: ChannelDeliveryRow | undefined; readonly to: string | null }> {
  const [, prompt_id] = /^turn:(.+)$/.exec(subject_key ?? '') ?? []
  const owner = owner_link_id === null ? undefined : await channelLinks.findById(db, owner_link_id)
  const mine = owner === undefined || owner.revoked_at !== null ? null : owner.external_user
  const answered =
    (prompt_id === undefined ? undefined : await channelMails.ofPrompt(db, { thread_id, prompt_id })) ??
    (await channelMails.lastOfThread(db, thread_id))
  if (subject?.type === 'writer') return { answered, to: mine }
  return { answered, to: answered?.sender ?? mine }
}

function letter(answered: ChannelDeliveryRow | undefined, to: string, token: string | null): Letter {
  const body = answered?.body
  const mail = body?.kind === 'message' ? body.mail : undefined
  const in_reply_to = mail?.message_id ?? answered?.message_key ?? null
  return {
    ...{ to, token, in_reply_to, subject: mail?.subject ?? null },
    references: in_reply_to === null ? [] : [...(mail?.references ?? []), in_reply_to],
  }
}

/** At most so many mails an hour to an address in one thread beyond those that it caused: the others wait. */
async function requireRoom(
  { db, now }: Reading,
  { channel, root, to }: { readonly channel: ChannelRow; readonly root: string; readonly to: string },
): Promise<void> {
  const { channel_id } = channel
  const since = new Date(now().getTime() - hourMs)
  const place = { channel_id, conversation: localOf(channel), root, address: to }
  const { sent, received } = await channelMails.countsOf(db, place, since)
  if (sent - received >= mailLimits.perHour)
    throw new MessageDeferred(deferMs, `${mailLimits.perHour} mails went to ${to} in this thread in an hour`)
}
