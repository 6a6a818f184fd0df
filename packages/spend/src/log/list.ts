import { type Context, decodeCursor, encodeCursor, requireProject } from '@svc/context'
import { callLog } from '@svc/db'
import { z } from 'zod'

export interface ListCallsInput extends Omit<callLog.CallFilter, 'since' | 'until'> {
  readonly project_id: string
  readonly limit: number
  readonly cursor?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

const Position = z.object({ at: z.coerce.date(), call_id: z.uuid() })

/** Model calls of a project, the newest first. */
export async function listCalls(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  { project_id, limit, cursor, since, until, ...filter }: ListCallsInput,
) {
  await requireProject(ctx, project_id, 'project.gateway.logs.read')
  const rows = await callLog.list(ctx.db, project_id, {
    ...filter,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    after: cursor === undefined ? undefined : decodeCursor(Position, cursor),
    limit: limit + 1,
  })
  const calls = rows.slice(0, limit)
  const last = rows.length > limit ? calls.at(-1) : undefined
  return { calls, next_cursor: last ? encodeCursor({ at: last.at, call_id: last.call_id }) : null }
}
