import { type Context, decodeCursor, encodeCursor, pageUrl, requireUser } from '@svc/context'
import { type NotificationRow, notifications } from '@svc/db'
import type { ReadWish } from '@svc/db'
import { z } from 'zod'

export interface ListNotificationsInput {
  readonly unread?: boolean | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

const Cursor = z.object({ before: z.int() })

type PersonContext = Pick<Context, 'db' | 'principal' | 'trail' | 'settings' | 'now'>

/** A page of what the person was told, the newest first. */
export async function listNotifications(
  ctx: PersonContext,
  { unread = false, limit, cursor }: ListNotificationsInput,
) {
  const { user_id } = requireUser(ctx)
  const before = cursor === undefined ? null : decodeCursor(Cursor, cursor).before
  const [rows, unread_count] = await Promise.all([
    notifications.list(ctx.db, { user_id, unread, before, limit: limit + 1 }),
    notifications.countUnread(ctx.db, user_id),
  ])
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    notifications: page.map((row) => present(ctx, row)),
    unread_count,
    next_cursor: last === undefined ? null : encodeCursor({ before: last.position }),
  }
}

function present({ settings }: Pick<Context, 'settings'>, row: NotificationRow) {
  const { notification_id, account_id, project_id, session_id, kind, event_id, title, text } = row
  return {
    ...{ notification_id, account_id, project_id, session_id, kind, event_id, title, text },
    url: pageUrl(settings, row.path),
    path: row.path,
    created_at: row.created_at,
    read_at: row.read_at,
  }
}

/** Marks notifications of the person as read; ids of others, and those that were read before, are left alone. */
export async function readNotifications(
  ctx: Pick<Context, 'db' | 'principal' | 'trail' | 'now'>,
  wish: ReadWish,
): Promise<{ readonly read: number }> {
  const { user_id } = requireUser(ctx)
  return { read: await notifications.markRead(ctx.db, user_id, wish, ctx.now()) }
}
