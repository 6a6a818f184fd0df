import { actingUser, type Context, decodeCursor, encodeCursor, requireProject } from '@svc/context'
import { sessionSummaries } from '@svc/db'
import { type SummaryState, summaryStates } from '@svc/session'
import { z } from 'zod'
import { sessionPhrase } from './phrase.ts'
import { isClosedTo, titleFor } from './title.ts'

export interface ListSummariesInput {
  readonly project_id: string
  readonly limit: number
  readonly cursor?: string | undefined
  readonly q?: string | undefined
  /** Only this one. */
  readonly session_id?: string | undefined
  readonly state?: SummaryState | undefined
  readonly agent?: string | undefined
  /** Only those of the caller. */
  readonly mine?: boolean | undefined
}

const Cursor = z.object({ created_at: z.coerce.date(), session_id: z.uuid() })

/** Sessions as a list shows them: what each is called, does, costs and led to. */
export async function listSessionSummaries(
  ctx: Pick<Context, 'db' | 'principal' | 'now'>,
  input: ListSummariesInput,
) {
  const before = input.cursor === undefined ? undefined : decodeCursor(Cursor, input.cursor)
  const { project_id, limit, q, session_id, state, agent } = input
  await requireProject(ctx, project_id, 'project.session.read')
  const now = ctx.now()
  const own = actingUser(ctx.principal)
  const created_by = input.mine && own !== null ? own : undefined
  const [rows, counted] = await Promise.all([
    sessionSummaries.list(ctx.db, {
      ...{ project_id, now, before, q, session_id, state, agent, created_by },
      limit: limit + 1,
    }),
    sessionSummaries.counts(ctx.db, { project_id, now }),
  ])
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    sessions: page.map((row) => presentSummary(row, own)),
    counts: countsOf(counted),
    next_cursor: last ? encodeCursor({ created_at: last.created_at, session_id: last.session_id }) : null,
  }
}

function presentSummary(row: sessionSummaries.SummaryRow, viewer: string | null) {
  const { session_id, state, agent_name, model, created_by, created_at, last_event_at } = row
  const { cost_micros, change_request, labels } = row
  return {
    session_id,
    title: titleFor(row, viewer),
    state,
    phrase: sessionPhrase(isClosedTo(row, viewer) ? { ...row, ask: null, tool: null } : row),
    ...{ agent_name, model, created_by, created_at, last_event_at },
    ...{ cost_micros, change_request, labels },
  }
}

function countsOf(counted: ReadonlyMap<SummaryState, number>): Record<SummaryState | 'total', number> {
  const each = summaryStates.map((state) => [state, counted.get(state) ?? 0] as const)
  const total = each.reduce((sum, [, count]) => sum + count, 0)
  return { total, ...(Object.fromEntries(each) as Record<SummaryState, number>) }
}
