import type { ReviewKind, ReviewRisk } from '@svc/connector/states'
import { audited, type Context, requireActor, requireProject } from '@svc/context'
import { type ReviewItemRow, reviewItems, type ReviewOption, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { ofReview } from './find-review.ts'
import { fixFiles } from './fix-files.ts'
import { judgeOptions } from './judge-options.ts'
import { reportState } from './report-state.ts'

export const maxOpenReviews = 50

export type Submitting = Pick<
  Context,
  'db' | 'principal' | 'trail' | 'now' | 'newId' | 'metrics' | 'vault' | 'repositories' | 'signal'
>

export interface SubmitReviewInput {
  readonly project_id: string
  readonly title: string
  readonly summary: string
  readonly kind: ReviewKind
  readonly risk: ReviewRisk
  readonly files: readonly string[]
  readonly options: readonly ReviewOption[]
  readonly url?: string | undefined
}

/** Shows something to people: what an agent made, or a decision that it asks for. The session is that of the token. */
export async function submitReview(ctx: Submitting, input: SubmitReviewInput): Promise<ReviewItemRow> {
  const { project_id, title, summary, kind, risk, options, url = null } = input
  const project = await requireProject(ctx, project_id, 'project.review.submit')
  const created_by = requireActor(ctx)
  judgeOptions(kind, options)
  const session_id = ctx.principal.type === 'session' ? ctx.principal.session_id : null
  const session = session_id === null ? undefined : await sessions.find(ctx.db, { project_id, session_id })
  const files = await fixFiles(ctx, project, session?.branch_name ?? project.default_branch, input.files)
  const submitter = { project_id, session_id, created_by }
  const key = { review_id: ctx.newId(), project_id, session_id }
  return audited(
    ctx,
    ofReview('submitReviewItem', project, key, { kind, risk, files: files.length }),
    async (tx) => {
      if ((await reviewItems.countOpen(tx, submitter)) >= maxOpenReviews) throw full()
      const fields = { title, summary, kind, risk, files, options, url }
      const row = await reviewItems.insert(tx, { ...key, ...fields, created_by, created_at: ctx.now() })
      await reportState(ctx, tx, row)
      return row
    },
  )
}

export function full(): ServiceError {
  return new ServiceError(
    'conflict',
    `${maxOpenReviews} items of yours wait for a verdict already, and no more fit; withdraw those that have become idle`,
  )
}
