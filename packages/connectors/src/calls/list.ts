import { type CallStatus } from '@svc/connector'
import { type Context, decodeCursor, encodeCursor, requireProject } from '@svc/context'
import { connectorCalls } from '@svc/db'
import { z } from 'zod'
import { presentCall } from './present.ts'

export interface ListCallsInput {
  readonly project_id: string
  readonly session_id?: string | undefined
  readonly connector?: string | undefined
  readonly status?: CallStatus | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

const Cursor = z.object({ at: z.coerce.date(), id: z.uuid() })

/** The ledger of a project, newest first. */
export async function listCalls(ctx: Pick<Context, 'db' | 'principal'>, input: ListCallsInput) {
  const { project_id, session_id, connector: slug, status, limit } = input
  const cursor = input.cursor === undefined ? undefined : decodeCursor(Cursor, input.cursor)
  await requireProject(ctx, project_id, 'project.connector.read')
  const before = cursor && { created_at: cursor.at, call_id: cursor.id }
  const rows = await connectorCalls.list(ctx.db, {
    project_id,
    session_id,
    slug,
    status,
    before,
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    calls: page.map(presentCall),
    next_cursor: last ? encodeCursor({ at: last.created_at, id: last.call_id }) : null,
  }
}
