import { type Context, decodeCursor, encodeCursor, etagOf, matchesEtag, requireProject } from '@svc/context'
import { sessions } from '@svc/db'
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
    const etag = etagOfPage(await sessions.digest(ctx.db, query))
    if (matchesEtag(input.if_none_match, etag)) return { kind: 'unchanged', etag }
  }
  // The digest is of the rows beside it: an ETag never stands for another page than its own.
  const { sessions: rows, digest } = await sessions.list(ctx.db, query)
  const page = rows.slice(0, input.limit).map(presentSession)
  const last = rows.length > input.limit ? page.at(-1) : undefined
  const next_cursor = last ? encodeCursor({ created_at: last.created_at, session_id: last.session_id }) : null
  const etag = etagOfPage(digest)
  if (matchesEtag(input.if_none_match, etag)) return { kind: 'unchanged', etag }
  return { kind: 'page', etag, sessions: page, next_cursor }
}

/** Counts up when a session is shown in another way: the same rows are then another answer. */
const presentation = 1

const etagOfPage = (digest: string): string => etagOf({ presentation, digest })
