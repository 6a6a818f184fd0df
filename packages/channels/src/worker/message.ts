import { channelLimits, type InboundMessage } from '@svc/channel'
import { requireProject } from '@svc/context'
import {
  channelDeliveries,
  type ChannelDeliveryRow,
  channelLinks,
  type ChannelLinkRow,
  type ChannelRow,
  channelThreads,
  type ChannelThreadRow,
} from '@svc/db/channels'
import { sessions } from '@svc/db'
import { ServiceError, statusOf } from '@svc/errors'
import type { ChannelWorkerContext } from '../context.ts'
import { externalKey } from '../external-key.ts'
import { askOwner } from './ask-owner.ts'
import { beginThread } from './begin-thread.ts'
import { contextOf, linkOf } from './person.ts'
import { platformOf } from './platform-of.ts'
import { promptThread } from './prompt-thread.ts'
import { offerLink, whisper } from './whispers.ts'

/** A message on its way to an agent. */
export interface Arriving {
  readonly channel: ChannelRow
  readonly delivery: ChannelDeliveryRow
  readonly message: InboundMessage
}

/** One whose writer is known, and may start sessions in the project. */
export interface Known extends Arriving {
  readonly link: ChannelLinkRow
  readonly role: string
  readonly thread: ChannelThreadRow | undefined
}

/** Works a message, step by step: whether it is meant for an agent, who wrote it, what they may do, and where it goes. */
export async function workMessage(ctx: ChannelWorkerContext, arriving: Arriving): Promise<void> {
  const { channel, delivery, message } = arriving
  const { channel_id } = channel
  const thread = await channelThreads.find(ctx.db, {
    channel_id,
    external_key: externalKey(ctx, channel, message),
  })
  const unmeant = reasonToIgnore(arriving, thread)
  if (unmeant !== null) {
    await channelDeliveries.move(ctx.db, delivery.delivery_id, 'ignore', { now: ctx.now(), reason: unmeant })
    return
  }
  const unproven = reasonToRefuse(message, thread)
  if (unproven !== null) {
    await channelDeliveries.move(ctx.db, delivery.delivery_id, 'refuse', { now: ctx.now(), reason: unproven })
    return
  }
  if (await isFlood(ctx, arriving)) return
  const link = await linkOf(ctx, channel, message.sender)
  if (link === undefined) {
    await hold(ctx, arriving)
    return
  }
  const role = await roleOf(ctx, arriving, link)
  if (role === null) return
  await place(ctx, { ...arriving, link, role, thread })
}

function reasonToIgnore({ channel, message }: Arriving, thread: ChannelThreadRow | undefined): string | null {
  if (message.skip !== null) return message.skip
  if (message.direct || message.mentions_bot) return null
  if (thread === undefined || channel.thread_replies === 'mention') return 'not_addressed'
  return message.names_other ? 'names_another' : null
}

/** Of mails, without an answer: it might go to a person who wrote nothing. */
function reasonToRefuse({ mail }: InboundMessage, thread: ChannelThreadRow | undefined): string | null {
  if (mail === undefined) return null
  if (!mail.authenticated) return 'unauthenticated'
  return mail.token_hash !== null && thread === undefined ? 'unknown_thread' : null
}

async function isFlood(
  ctx: ChannelWorkerContext,
  { channel, delivery, message }: Arriving,
): Promise<boolean> {
  const { channel_id } = channel
  const { received_at, sender, delivery_id } = delivery
  const minute = Math.floor(received_at.getTime() / 60_000)
  const before = await channelDeliveries.countBefore(
    ctx.db,
    delivery,
    new Date(received_at.getTime() - 60_000),
  )
  if (before < channelLimits.messagesPerMinute) return false
  await ctx.db.transaction().execute(async (tx) => {
    const moved = await channelDeliveries.move(tx, delivery_id, 'refuse', {
      ...{ now: ctx.now(), reason: 'too_many_messages' },
    })
    if (!moved) return
    await whisper(ctx, tx, channel, message, {
      text: `I take ${channelLimits.messagesPerMinute} messages a minute of one person; the others of this minute are left out.`,
      key: `flood:${channel_id}:${sender}:${minute}`,
    })
  })
  return true
}

/** It waits until its writer is linked: then it is worked by itself. */
async function hold(ctx: ChannelWorkerContext, { channel, delivery, message }: Arriving): Promise<void> {
  const adapter = platformOf(ctx, channel)
  const display = await adapter.nameOf({ user: message.sender.id }, ctx.signal)
  await ctx.db.transaction().execute(async (tx) => {
    const { delivery_id } = delivery
    const held = await channelDeliveries.move(tx, delivery_id, 'hold', {
      now: ctx.now(),
      reason: 'not_linked',
    })
    const sender = { ...message.sender, display }
    if (!held) return
    await offerLink(ctx, tx, channel, { ...message, sender }, delivery_id)
    ctx.metrics.count('svc_channel_held_total', { platform: channel.platform })
  })
  // They may have linked themselves between the look and the hold.
  if ((await linkOf(ctx, channel, message.sender)) !== undefined)
    await channelDeliveries.move(ctx.db, delivery.delivery_id, 'release', { now: ctx.now() })
}

/** The role of the writer in the project now; null where they may start nothing there, which they are told. */
async function roleOf(
  ctx: ChannelWorkerContext,
  arriving: Arriving,
  link: ChannelLinkRow,
): Promise<string | null> {
  const { channel } = arriving
  const person = await contextOf(ctx, channel, link)
  try {
    const { project_role } = await requireProject(person, channel.project_id, 'project.session.start')
    return project_role
  } catch (error) {
    if (!(error instanceof ServiceError) || statusOf(error.code) >= 500) throw error
    const { link_id } = link
    await refuse(
      ctx,
      arriving,
      { reason: error.code === 'not_found' ? 'no_access' : error.code, link_id },
      noAccess(error, channel),
    )
    return null
  }
}

const signInRules: ReadonlySet<string> = new Set(['account_mfa_required', 'account_sso_required'])

const noAccess = ({ code, message }: ServiceError, { name }: ChannelRow): string =>
  code === 'not_found' || code === 'forbidden'
    ? `You may start no session in the project of ${name}; ask a manager of it for a role.`
    : message

/** Ends a message with a word to its writer alone: the same word once in ten minutes. */
export async function refuse(
  ctx: ChannelWorkerContext,
  { channel, delivery, message }: Arriving,
  { reason, link_id }: { readonly reason: string; readonly link_id: string },
  text: string,
): Promise<void> {
  const { delivery_id, received_at } = delivery
  const tenth = Math.floor(received_at.getTime() / 600_000)
  await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now()
    if (!(await channelDeliveries.move(tx, delivery_id, 'refuse', { now, reason, link_id }))) return
    // A link that is made anew counts as the sign-in that makes it.
    if (signInRules.has(reason)) await offerLink(ctx, tx, channel, message, null)
    await whisper(ctx, tx, channel, message, {
      text,
      key: `refused:${reason}:${message.sender.id}:${message.root}:${tenth}`,
    })
  })
}

/** A thread with a session is prompted, where its policy lets this person; else one begins. */
async function place(ctx: ChannelWorkerContext, known: Known): Promise<void> {
  const { thread } = known
  const session =
    thread === undefined ? undefined : await sessions.findById(ctx.db, thread.planned_session_id)
  if (thread === undefined || session === undefined || session.deleted_at !== null) {
    await beginThread(ctx, known, session !== undefined)
    return
  }
  switch (await standing(ctx, known, thread)) {
    case 'may':
      await promptThread(ctx, { ...known, thread }, session)
      return
    case 'ask':
      await askOwner(ctx, { ...known, thread })
      return
    case 'may_not':
      await refuse(
        ctx,
        known,
        { reason: 'owner_only', link_id: known.link.link_id },
        'Only the person who began this thread speaks to its agent; begin one of your own.',
      )
  }
}

async function standing(
  ctx: Pick<ChannelWorkerContext, 'db'>,
  { link, delivery }: Known,
  thread: ChannelThreadRow,
): Promise<'may' | 'ask' | 'may_not'> {
  const { owner_link_id, thread_id, policy } = thread
  if (delivery.allowed || policy === 'project_open') return 'may'
  const owner = owner_link_id === null ? undefined : await channelLinks.findById(ctx.db, owner_link_id)
  if (owner?.user_id === link.user_id) return 'may'
  if (policy === 'owner_only') return 'may_not'
  return (await channelThreads.isWriter(ctx.db, { thread_id, link_id: link.link_id })) ? 'may' : 'ask'
}
