import { decodeCursor, recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { allSessions, owedWork, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import type { Changing, Looking } from '../context.ts'
import { type PageInput, pageOf } from '../page.ts'
import { enqueueWork, type SessionWork } from '../work/enqueue-work.ts'

const Position = z.object({ created_at: z.coerce.date(), session_id: z.uuid() })

type SessionQuery = Omit<allSessions.AllSessionsFilter, 'since' | 'until'> &
  PageInput & { readonly since?: string | undefined; readonly until?: string | undefined }

/** Sessions of every account, the newest first. */
export async function listAllSessions(ctx: Looking, { limit, cursor, ...query }: SessionQuery) {
  await requirePlatformAdmin(ctx)
  const after = cursor === undefined ? undefined : decodeCursor(Position, cursor)
  const { since, until } = query
  const rows = await allSessions.list(ctx.db, {
    ...query,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    after,
    limit: limit + 1,
  })
  const { page, next_cursor } = pageOf(rows, limit, ({ created_at, session_id }) => ({
    created_at,
    session_id,
  }))
  return { sessions: page.map(present), next_cursor }
}

/** The daemon saves its work by itself, and secrets come to it without being asked for. */
type Rerun = Exclude<SessionWork, 'secrets' | 'checkpoint'>

type Row = Awaited<ReturnType<typeof allSessions.list>>[number]

/** Of a failure, its first line: the end of the sandbox's log follows, and that is the session's content. */
function present({ failure, ...session }: Row) {
  const first = failure?.message.split('\n')[0] ?? ''
  return { ...session, failure: failure && { ...failure, message: first.replace(/; it last said:$/, '') } }
}

/** Asks a worker for work that the session's row owes, or for a look at its sandbox while it runs. */
export async function rerunSession(
  ctx: Changing,
  { session_id, work }: { readonly session_id: string; readonly work: Rerun },
) {
  await requirePlatformAdmin(ctx)
  const session = await sessions.findById(ctx.db, session_id)
  if (!session) throw new ServiceError('not_found', 'There is no such session; list the sessions again.')
  if (!(await isAskedFor(ctx, session, work)))
    throw new ServiceError(
      'WORK_NOT_OWED',
      `The session does not ask for ${work}: its status is ${session.status}.`,
    )
  const { account_id, project_id } = session
  const target = `admin/sessions/${session_id}`
  const entry = { account_id, project_id, session_id, action: 'rerunSession', target, details: { work } }
  await ctx.db.transaction().execute((tx) => recordOperatorAudit(ctx, tx, entry))
  await enqueueWork(ctx, { kind: work, id: session_id, project_id })
  return { session_id, work }
}

async function isAskedFor(
  ctx: Looking,
  { session_id, status, deleted_at }: sessions.SessionView,
  work: Rerun,
): Promise<boolean> {
  if (work === 'check') return status === 'running' && deleted_at === null
  return (await owedWork.list(ctx.db, { kind: work, id: session_id, limit: 1 })).length > 0
}
