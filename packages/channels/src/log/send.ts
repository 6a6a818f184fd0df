import { channelLimits, type OutgoingFile } from '@svc/channel'
import { recordAudit, requireWritesOpen } from '@svc/context'
import { sessions } from '@svc/db'
import { channelMessages, type ChannelRow, channelThreads } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import { sizeWords } from '@svc/facts'
import { type ChannelInput, channelTarget, requireChannel } from '../channel/find.ts'
import type { ChannelContext } from '../context.ts'
import { conversationOf, type Outlet, putWords } from '../outlet.ts'
import { presentMessage } from './read.ts'

export interface SendChannelMessageInput extends ChannelInput {
  readonly text: string
  /** Behind the text, in their order. */
  readonly files?: readonly OutgoingFile[] | undefined
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
  const { idempotency_key, files = [] } = input
  requireSizes(files)
  const { channel_id } = row
  if (idempotency_key !== undefined) {
    const earlier = await channelMessages.findByKey(ctx.db, { channel_id, idempotency_key })
    if (earlier !== undefined) return presentMessage(earlier)
  }
  const outlet = await targetOf(ctx, row, input)
  await requireOwnPlace(ctx, row, outlet)
  const { account_id, project_id } = row
  const { conversation, thread_id } = outlet
  const kept = await putWords(ctx, row, outlet, input, (tx, { message_id }) =>
    recordAudit(ctx, tx, {
      ...{ account_id, project_id, action: 'sendChannelMessage' },
      target: `${channelTarget(row)}/messages/${message_id}`,
      details: {
        ...(thread_id === undefined ? { conversation } : { thread_id }),
        ...(files.length === 0 ? {} : { files: files.length }),
      },
    }),
  )
  return presentMessage(kept)
}

function requireSizes(files: readonly OutgoingFile[]): void {
  const { files: max, fileBytes, filesBytes } = channelLimits
  if (files.length > max)
    throw new ServiceError(
      'invalid_request',
      `A message has at most ${max} files; send the others with another`,
    )
  for (const { name, content } of files) {
    if (content.byteLength === 0)
      throw new ServiceError('invalid_request', `${name} is empty; platforms take no empty file`)
    if (content.byteLength > fileBytes)
      throw new ServiceError(
        'payload_too_large',
        `${name} is larger than ${sizeWords(fileBytes)}; send a smaller file, or a link to it`,
      )
  }
  const together = files.reduce((sum, { content }) => sum + content.byteLength, 0)
  if (together > filesBytes)
    throw new ServiceError(
      'payload_too_large',
      `The files are larger than ${sizeWords(filesBytes)} together; send some with another message`,
    )
}

async function targetOf(
  ctx: Pick<Sending, 'db' | 'principal'>,
  row: ChannelRow,
  { thread_id, conversation }: SendChannelMessageInput,
): Promise<Outlet> {
  if (thread_id === undefined && conversation === undefined) return ownThread(ctx, row)
  if (thread_id !== undefined) {
    const thread = await channelThreads.findById(ctx.db, thread_id)
    if (thread?.channel_id !== row.channel_id)
      throw new ServiceError('not_found', 'There is no such thread in this channel; list them')
    return thread
  }
  const found = await conversationOf(ctx.db, row, conversation ?? '')
  if (found !== null) return found
  throw new ServiceError(
    'conversation_not_in_project',
    `${row.slug} does not list this conversation, and no thread of the project is in it; add it to the conversations of the channel`,
  )
}

/** The thread that the session of the caller works for. */
async function ownThread(
  { db, principal }: Pick<Sending, 'db' | 'principal'>,
  row: ChannelRow,
): Promise<Outlet> {
  if (principal.type !== 'session')
    throw new ServiceError(
      'invalid_request',
      'The message has no place to go; name the thread_id or the conversation',
    )
  const own = (await channelThreads.ofSessions(db, [principal.session_id])).get(principal.session_id)
  if (own?.channel_id === row.channel_id) return own
  throw new ServiceError(
    'invalid_request',
    `This session was not begun in a thread of ${row.slug}; name the thread_id or the conversation`,
  )
}

/** An agent needs the channel in its connectors, but for the thread that it works for. */
async function requireOwnPlace(
  ctx: Pick<Sending, 'db' | 'principal'>,
  { slug }: ChannelRow,
  outlet: Outlet,
): Promise<void> {
  const { principal } = ctx
  if (principal.type !== 'session') return
  if (outlet.thread_id !== undefined && outlet.session_id === principal.session_id) return
  const session = await sessions.findById(ctx.db, principal.session_id)
  if (session?.requested.connectors?.some((one) => one.slug === slug)) return
  throw new ServiceError(
    'forbidden',
    `The agent may write to its own thread alone; list ${slug} under its connectors in svc.yaml for others`,
    { action: 'project.connector.write' },
  )
}
