import { type BaseContext, decodeCursor, recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { liveSandboxes, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { endDrained } from '@svc/services'
import { z } from 'zod'
import type { Changing, Looking } from '../context.ts'
import { type PageInput, pageOf } from '../page.ts'

const Position = z.object({ last_active_at: z.coerce.date(), session_id: z.uuid() })

/** The last used first; archived ones only when they are asked for. */
export async function listSandboxes(
  ctx: Looking,
  { limit, cursor, ...filter }: liveSandboxes.SandboxFilter & PageInput,
) {
  await requirePlatformAdmin(ctx)
  const after = cursor === undefined ? undefined : decodeCursor(Position, cursor)
  const rows = await liveSandboxes.list(ctx.db, { ...filter, after, limit: limit + 1 })
  const { page, next_cursor } = pageOf(rows, limit, ({ last_active_at, session_id }) => ({
    last_active_at,
    session_id,
  }))
  return { sandboxes: page, next_cursor }
}

/** Stops a session as its own people would; its files are kept. One that is not live stays as it is. */
export async function stopSandboxOf(
  ctx: Changing & Pick<BaseContext, 'vault' | 'log' | 'metrics'>,
  { session_id }: { readonly session_id: string },
) {
  await requirePlatformAdmin(ctx)
  const session = await sessions.findById(ctx.db, session_id)
  if (!session || session.deleted_at !== null)
    throw new ServiceError('not_found', 'There is no such session; list the sessions again.')
  const { account_id, project_id } = session
  const target = `admin/sandboxes/${session_id}`
  const entry = { account_id, project_id, session_id, action: 'stopSandbox', target }
  await endDrained(ctx, session, {
    stop_reason: 'operator',
    record: (tx) => recordOperatorAudit(ctx, tx, entry),
  })
  return { session_id }
}
