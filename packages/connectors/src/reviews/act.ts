import type { ReviewVerdict } from '@svc/connector/states'
import { audited, type Context, requireActor } from '@svc/context'
import { type Db, type ReviewItemRow, reviewItems, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { enqueueOwed, type OwedJob, putPrompt } from '@svc/services'
import { treeOf } from '@svc/session'
import { ofReview, requireOpen, requireReview, type ReviewInput } from './find-review.ts'
import { invalid, judgeOption } from './judge-options.ts'
import { reportState } from './report-state.ts'
import { verdictText } from './verdict-text.ts'

type Acting = Pick<
  Context,
  | 'db'
  | 'principal'
  | 'trail'
  | 'now'
  | 'newId'
  | 'metrics'
  | 'settings'
  | 'maintenance'
  | 'traceparent'
  | 'enqueue'
>

export interface ActOnReviewInput extends ReviewInput {
  readonly verdict: ReviewVerdict
  /** The version that was looked at. */
  readonly version: number
  readonly feedback?: string | undefined
  /** Of the approval of a decision: the id of what was chosen. */
  readonly option?: string | undefined
}

/**
 * Decides on an item. Its session gets the verdict as a prompt, which is written together with it, and which wakes a session
 * that sleeps as soon as there is room.
 */
export async function actOnReview(ctx: Acting, input: ActOnReviewInput): Promise<ReviewItemRow> {
  const { verdict, version } = input
  const { project, row } = await requireReview(ctx, input, 'project.review.act')
  const verdict_by = requireActor(ctx)
  await refuseSelfAct(ctx, row)
  requireOpen(row, version)
  const judged = judgedOf(row, input, verdict_by)
  const { decided, jobs } = await audited(
    ctx,
    ofReview('actOnReviewItem', project, row, { verdict, version }),
    async (tx) => {
      // The session's row is held before the item's, as a removal does.
      const jobs = await deliver(ctx, tx, row, { ...judged.change, verdict, by: verdict_by })
      const decided = await reviewItems.apply(tx, row, version, judged, ctx.now())
      if (decided === undefined) {
        requireOpen((await reviewItems.find(tx, row)) ?? row, version)
        throw new ServiceError(
          'conflict',
          'The item moved while the verdict was given; read it and try again',
        )
      }
      await reportState(ctx, tx, decided)
      return { decided, jobs }
    },
  )
  await enqueueOwed(ctx, jobs)
  return decided
}

function judgedOf(
  row: ReviewItemRow,
  { verdict, option: named, feedback: said }: ActOnReviewInput,
  verdict_by: string,
) {
  const option = judgeOption(row.kind, row.options, { verdict, option: named })
  const feedback = said === undefined || said.trim() === '' ? null : said
  switch (verdict) {
    case 'approve':
      return { event: verdict, change: { verdict_by, feedback, option } } as const
    case 'request_changes':
      if (feedback === null) throw invalid('feedback', 'must say what is to be changed')
      return { event: verdict, change: { verdict_by, feedback } } as const
    case 'reject':
    case 'dismiss':
      return { event: verdict, change: { verdict_by, feedback } } as const
  }
}

/** An agent decides on nothing that its own session, or one of its tree, has shown. */
async function refuseSelfAct(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  row: ReviewItemRow,
): Promise<void> {
  const { project_id, session_id } = row
  if (principal.type !== 'session' || session_id === null) return
  const session = await sessions.find(db, { project_id, session_id })
  if (session === undefined || treeOf(session) !== principal.tree_id) return
  throw new ServiceError(
    'REVIEW_SELF_ACT_REFUSED',
    'A session decides on nothing that it has shown itself, nor a session that it started or was started by; a person does',
    { action: 'project.review.act' },
  )
}

interface Verdict {
  readonly verdict: ReviewVerdict
  readonly feedback: string | null
  readonly option?: string | null
  readonly by: string
}

/** The jobs that are owed once the prompt is written; none where no agent listens any more. */
async function deliver(
  ctx: Acting,
  tx: Db,
  row: ReviewItemRow,
  verdict: Verdict,
): Promise<readonly OwedJob[]> {
  const { project_id, session_id, review_id, version } = row
  if (session_id === null) return []
  const session = await sessions.find(tx, { project_id, session_id })
  if (session === undefined || session.requested.monitors) return []
  const put = await putPrompt(ctx, tx, session, {
    text: verdictText(row, verdict),
    source: 'review',
    dedupe_key: `review:${review_id}:${version}`,
    by: verdict.by,
    // The verdict is kept whether or not there is room to wake the session now: its delivery stays owed.
    without_room: 'keep',
  })
  return put.kind === 'put' ? put.jobs : []
}
