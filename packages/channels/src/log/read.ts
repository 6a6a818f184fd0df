import type { DeliveryVerdict, MessageState } from '@svc/channel'
import { actingUser, decodeCursor, encodeCursor, mayAlso } from '@svc/context'
import {
  channelDeliveries,
  type ChannelDeliveryRow,
  type ChannelFile,
  channelFiles,
  channelMessages,
  type ChannelMessageRow,
  channelThreads,
} from '@svc/db/channels'
import { titleFor } from '@svc/services'
import { z } from 'zod'
import { type Asking, type ChannelInput, requireChannel } from '../channel/find.ts'

type Page = ChannelInput & { readonly limit: number; readonly cursor?: string | undefined }

const ThreadPlace = z.object({ created_at: z.coerce.date(), thread_id: z.uuid() })
const DeliveryPlace = z.object({ position: z.int() })
const MessagePlace = z.object({ created_at: z.coerce.date(), position: z.int(), message_id: z.uuid() })

/** Newest first. */
export async function listChannelThreads(ctx: Asking, input: Page) {
  const { row, project } = await requireChannel(ctx, input, 'project.connector.read')
  const { limit, cursor } = input
  const reads = mayAlso(ctx.principal, 'project.session.read', project)
  const viewer = actingUser(ctx.principal)
  const before = cursor === undefined ? undefined : decodeCursor(ThreadPlace, cursor)
  const rows = await channelThreads.list(ctx.db, row.channel_id, { limit: limit + 1, before })
  const last = rows[limit - 1]
  return {
    threads: rows.slice(0, limit).map((thread) => {
      const { thread_id, external_key, session_id, agent, policy, owner_link_id, display, user_id } = thread
      const owner =
        owner_link_id === null || display === null || user_id === null
          ? null
          : { link_id: owner_link_id, display, user_id }
      const created_at = thread.created_at.toISOString()
      const { session } = thread
      const title =
        reads && session_id !== null && session !== null ? titleFor({ session_id, ...session }, viewer) : null
      return { thread_id, external_key, session_id, title, owner, agent, policy, created_at }
    }),
    next_cursor:
      rows.length > limit && last
        ? encodeCursor({ created_at: last.created_at, thread_id: last.thread_id })
        : null,
  }
}

/** Messages and presses that came in, the newest first. */
export async function listChannelDeliveries(
  ctx: Asking,
  input: Page & { readonly verdict?: DeliveryVerdict | undefined },
) {
  const { row } = await requireChannel(ctx, input, 'project.connector.read')
  const { limit, cursor, verdict } = input
  const before = cursor === undefined ? undefined : decodeCursor(DeliveryPlace, cursor).position
  const rows = await channelDeliveries.list(ctx.db, row.channel_id, { limit: limit + 1, before, verdict })
  const last = rows[limit - 1]
  const files = await channelFiles.ofDeliveries(
    ctx.db,
    rows.map(({ delivery_id }) => delivery_id),
  )
  return {
    deliveries: rows.slice(0, limit).map((one) => presentDelivery(one, files.get(one.delivery_id))),
    next_cursor: rows.length > limit && last ? encodeCursor({ position: last.position }) : null,
  }
}

const shownChars = 500

export function presentDelivery(row: ChannelDeliveryRow, files: readonly ChannelFile[] = []) {
  const { delivery_id, platform_id, kind, sender, verdict, reason, thread_id, prompt_id, attempts, body } =
    row
  const text = body !== null && 'text' in body ? (body.text ?? '') : ''
  return {
    ...{ delivery_id, platform_id, kind, sender, verdict, reason, thread_id, prompt_id, attempts },
    text: [...text].slice(0, shownChars).join(''),
    files: files.map(presentFile),
    received_at: row.received_at.toISOString(),
  }
}

/** Messages that go out, the newest first. */
export async function listChannelMessages(
  ctx: Asking,
  input: Page & { readonly state?: MessageState | undefined },
) {
  const { row } = await requireChannel(ctx, input, 'project.connector.read')
  const { limit, cursor, state } = input
  const before = cursor === undefined ? undefined : decodeCursor(MessagePlace, cursor)
  const rows = await channelMessages.list(ctx.db, row.channel_id, { limit: limit + 1, before, state })
  const last = rows[limit - 1]
  const files = await channelFiles.ofMessages(
    ctx.db,
    rows.map(({ message_id }) => message_id),
  )
  return {
    messages: rows.slice(0, limit).map((one) => presentMessage(one, files.get(one.message_id))),
    next_cursor:
      rows.length > limit && last
        ? encodeCursor({
            ...{ created_at: last.created_at, position: last.position, message_id: last.message_id },
          })
        : null,
  }
}

export function presentMessage(row: ChannelMessageRow, files: readonly ChannelFile[] = []) {
  const { message_id, thread_id, position, kind, state, revision, error } = row
  return {
    ...{ message_id, thread_id, position, kind, state, revision, error, files: files.map(presentFile) },
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
  }
}

const presentFile = ({ name, type, bytes, left_out }: ChannelFile) => ({ name, type, bytes, left_out })
