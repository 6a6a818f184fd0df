import { recordAudit, requireWritesOpen } from '@svc/context'
import { sessions } from '@svc/db'
import { channelMessages, type ChannelRow, channelThreads, type ChannelThreadRow } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import { type ChannelInput, channelTarget, requireChannel } from '../channel/find.ts'
import type { ChannelContext } from '../context.ts'
import { presentMessage } from './read.ts'

export interface SendChannelMessageInput extends ChannelInput {
  readonly text: string
  readonly thread_id?: string | undefined
  readonly conversation?: string | undefined
  readonly idempotency_key?: string | undefined
}

type Sending = Pick<ChannelContext, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'maintenance'>

/** Puts a message into the outbox: to a thread of the project, or to a conversation that the channel lists. */
export async function sendChannelMessage(ctx: Sending, input: SendChannelMessageInput) {
  const { row } = await requireChannel(ctx, input, 'project.connector.write')
  requireWritesOpen(ctx)
  if (row.status === 'disconnected')
    throw new ServiceError('conflict', `${row.slug} is disconnected; connect it anew`)
  const { idempotency_key } = input
  const { channel_id } = row
  if (idempotency_key !== undefined) {
    const earlier = await channelMessages.findByKey(ctx.db, { channel_id, idempotency_key })
    if (earlier !== undefined) return presentMessage(earlier)
  }
  const thread = await targetOf(ctx, row, input)
  await requireOwnPlace(ctx, row, thread)
  const message = {
    ...{ message_id: ctx.newId(), kind: 'notice' as const, body: { text: input.text } },
    idempotency_key,
  }
  const now = ctx.now()
  const { account_id, project_id } = row
  const made = await ctx.db.transaction().execute(async (tx) => {
    const written =
      thread === null
        ? await channelMessages.insert(
            tx,
            { channel_id, account_id, project_id, conversation: input.conversation ?? '', root: null },
            message,
            now,
          )
        : await channelMessages.append(
            tx,
            (await channelThreads.lock(tx, thread.thread_id)) ?? thread,
            message,
            now,
          )
    if (written === undefined) return undefined
    await recordAudit(ctx, tx, {
      ...{ account_id, project_id, action: 'sendChannelMessage' },
      target: `${channelTarget(row)}/messages/${written.message_id}`,
      details: thread === null ? { conversation: input.conversation } : { thread_id: thread.thread_id },
    })
    return written
  })
  const kept =
    made ?? (await channelMessages.findByKey(ctx.db, { channel_id, idempotency_key: idempotency_key ?? '' }))
  if (kept === undefined) throw new Error('A message was neither written nor there')
  return presentMessage(kept)
}

/** Null for a conversation that the channel lists. */
async function targetOf(
  ctx: Pick<Sending, 'db'>,
  row: ChannelRow,
  { thread_id, conversation }: SendChannelMessageInput,
): Promise<ChannelThreadRow | null> {
  if (thread_id !== undefined) {
    const thread = await channelThreads.findById(ctx.db, thread_id)
    if (thread?.channel_id !== row.channel_id)
      throw new ServiceError('not_found', 'There is no such thread in this channel; list them')
    return thread
  }
  if (conversation !== undefined && conversation in row.conversations) return null
  if (
    conversation !== undefined &&
    (await channelThreads.isKnownConversation(ctx.db, row.channel_id, conversation))
  )
    return null
  throw new ServiceError(
    'conversation_not_in_project',
    `${row.slug} does not list this conversation, and no thread of the project is in it; add it to the conversations of the channel`,
  )
}

/** An agent needs the channel in its connectors, but for the thread that it works for. */
async function requireOwnPlace(
  ctx: Pick<Sending, 'db' | 'principal'>,
  { slug }: ChannelRow,
  thread: ChannelThreadRow | null,
): Promise<void> {
  const { principal } = ctx
  if (principal.type !== 'session') return
  if (thread?.session_id === principal.session_id) return
  const session = await sessions.findById(ctx.db, principal.session_id)
  if (session?.requested.connectors?.some((one) => one.slug === slug)) return
  throw new ServiceError(
    'forbidden',
    `The agent may write to its own thread alone; list ${slug} under its connectors in svc.yaml for others`,
    { action: 'project.connector.write' },
  )
}
