import type { ChangeRequestStatus } from '@svc/change-request'
import { type Context, decodeCursor, encodeCursor, requireProject } from '@svc/context'
import { changeRequests } from '@svc/db'
import { z } from 'zod'
import { refreshOpen } from './refresh.ts'

export interface ListChangeRequestsInput {
  readonly project_id: string
  readonly status: ChangeRequestStatus | 'all'
  readonly origin_session_id?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

const Cursor = z.object({ below_number: z.int() })

export async function listChangeRequests(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'now' | 'signal'>,
  input: ListChangeRequestsInput,
) {
  const cursor = input.cursor === undefined ? undefined : decodeCursor(Cursor, input.cursor)
  const project = await requireProject(ctx, input.project_id, 'project.read')
  const rows = await changeRequests.list(ctx.db, {
    project_id: input.project_id,
    limit: input.limit + 1,
    ...(input.status === 'all' ? {} : { status: input.status }),
    ...(input.origin_session_id === undefined ? {} : { origin_session_id: input.origin_session_id }),
    ...cursor,
  })
  const page = rows.slice(0, input.limit)
  const last = rows.length > input.limit ? page.at(-1) : undefined
  return {
    change_requests: await refreshOpen(ctx, project, page),
    ...(last ? { next_cursor: encodeCursor({ below_number: last.number }) } : {}),
  }
}
