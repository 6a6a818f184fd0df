import { type Context, decodeCursor, encodeCursor, etagOf, matchesEtag, requireProject } from '@svc/context'
import { type ModelUsage, modelUsage, sessions } from '@svc/db'
import type { SessionOrigin, SessionStatus } from '@svc/session'
import { z } from 'zod'
import { presentSession } from './present.ts'

export interface ListSessionsInput {
  readonly project_id: string
  readonly limit: number
  readonly cursor?: string | undefined
  readonly status?: SessionStatus | undefined
  readonly origin?: SessionOrigin | undefined
  readonly label?: string | undefined
  readonly q?: string | undefined
  readonly if_none_match?: string | undefined
}

export type SessionPage =
  | { readonly kind: 'unchanged'; readonly etag: string }
  | {
      readonly kind: 'page'
      readonly etag: string
      readonly sessions: ReturnType<typeof presentSession>[]
      readonly next_cursor: string | null
    }

const Cursor = z.object({ created_at: z.coerce.date(), session_id: z.uuid() })

export async function listSessions(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: ListSessionsInput,
): Promise<SessionPage> {
  const before = input.cursor === undefined ? undefined : decodeCursor(Cursor, input.cursor)
  await requireProject(ctx, input.project_id, 'project.session.read')
  const query: sessions.SessionListQuery = {
    project_id: input.project_id,
    limit: input.limit + 1,
    ...(before === undefined ? {} : { before }),
    ...(input.status === undefined ? {} : { status: input.status }),
    ...(input.origin === undefined ? {} : { origin: input.origin }),
    ...(input.label === undefined ? {} : { label: input.label }),
    ...(input.q === undefined ? {} : { q: input.q }),
  }
  if (input.if_none_match !== undefined) {
    const found = await sessions.digest(ctx.db, query)
    const etag = etagOfPage(found.digest, await usageOf(ctx, query, found.session_ids))
    if (matchesEtag(input.if_none_match, etag)) return { kind: 'unchanged', etag }
  }
  // The digest is of the rows beside it: an ETag never stands for another page than its own.
  const { sessions: rows, digest } = await sessions.list(ctx.db, query)
  const usage = await usageOf(
    ctx,
    query,
    rows.map(({ session_id }) => session_id),
  )
  const page = rows.slice(0, input.limit).map((row) => presentSession(row, usage.get(row.session_id)))
  const last = rows.length > input.limit ? page.at(-1) : undefined
  const next_cursor = last ? encodeCursor({ created_at: last.created_at, session_id: last.session_id }) : null
  const etag = etagOfPage(digest, usage)
  if (matchesEtag(input.if_none_match, etag)) return { kind: 'unchanged', etag }
  return { kind: 'page', etag, sessions: page, next_cursor }
}

/** Counts up when a session is shown in another way: the same rows are then another answer. */
const presentation = 2

function etagOfPage(digest: string, usage: ReadonlyMap<string, ModelUsage>): string {
  return etagOf({ presentation, digest, usage: [...usage].sort(([a], [b]) => (a < b ? -1 : 1)) })
}

async function usageOf(
  { db }: Pick<Context, 'db'>,
  { project_id }: sessions.SessionListQuery,
  session_ids: readonly string[],
): Promise<ReadonlyMap<string, ModelUsage>> {
  return modelUsage.ofSessions(db, { project_id, session_ids })
}
