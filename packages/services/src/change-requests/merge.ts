import { canonical } from '@svc/access'
import { statusAfter } from '@svc/change-request'
import { askerOf, type Context, forbidden, mayAlso, requireActor, requireProject } from '@svc/context'
import { type ChangeRequestRow, jsonb, merges } from '@svc/db'
import { askForMove } from '../base-moves/ask-for-move.ts'
import { type ChangeRequestInput, getChangeRequestRow, requireChangeRequest } from './find-change-request.ts'
import { refuseSelfMerge } from './own-work.ts'

export interface MergeInput extends ChangeRequestInput {
  readonly message?: string | undefined
  readonly expected_head_sha?: string | undefined
  readonly expected_base_sha?: string | undefined
  /** Planned by who may ask again after a crash: the same attempt then answers. */
  readonly attempt_id?: string | undefined
}

type MergeContext = Pick<
  Context,
  'db' | 'principal' | 'now' | 'newId' | 'trail' | 'enqueue' | 'listener' | 'signal'
>

/** Asks the merge-worker for the merge and waits for its outcome; the asking itself is durable. */
export async function mergeChangeRequest(ctx: MergeContext, input: MergeInput) {
  // Asking for a merge needs to see the change request; whether this caller may merge it is said below, by its reason.
  const { project, row } = await requireChangeRequest(ctx, input, 'project.read')
  await refuseUngranted(ctx, row)
  if (!mayAlso(ctx.principal, 'project.gitops.merge', project))
    await requireProject(ctx, input.project_id, 'project.gitops.merge')
  const attempt_id = (await askedBefore(ctx, row, input)) ?? (await ask(ctx, row, input))
  const { kind: _, ...merge } = await askForMove(ctx, {
    attempt_id,
    job: 'change-request.merge',
    find: () => merges.findAttempt(ctx.db, attempt_id),
    unfinished: 'The merge has not ended yet; read the change request again in a moment',
  })
  return { change_request: await getChangeRequestRow(ctx, input), merge }
}

/** The attempt that an earlier try of the same asking wrote, whatever became of it. */
async function askedBefore(
  { db }: Pick<MergeContext, 'db'>,
  { cr_id }: ChangeRequestRow,
  { attempt_id }: MergeInput,
): Promise<string | undefined> {
  const found = attempt_id === undefined ? undefined : await merges.findAttempt(db, attempt_id)
  return found?.cr_id === cr_id ? attempt_id : undefined
}

async function ask(
  ctx: Pick<MergeContext, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  row: ChangeRequestRow,
  input: MergeInput,
): Promise<string> {
  statusAfter(row.status, 'merge')
  const { attempt_id = ctx.newId() } = input
  await merges.insertAttempt(ctx.db, {
    attempt_id,
    cr_id: row.cr_id,
    project_id: row.project_id,
    requested_by: requireActor(ctx),
    asked_by: jsonb(askerOf(ctx)),
    message: input.message ?? null,
    expected_head_sha: input.expected_head_sha ?? null,
    expected_base_sha: input.expected_base_sha ?? null,
    created_at: ctx.now(),
    finished_at: null,
  })
  return attempt_id
}

/** Refuses a session at once; the worker checks again, on the head that it merges. */
async function refuseUngranted(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  row: ChangeRequestRow,
): Promise<void> {
  if (principal.type !== 'session') return
  await refuseSelfMerge(db, principal, row)
  if (!principal.grant.some((name) => canonical(name) === 'project.gitops.merge')) {
    throw forbidden(
      'project.gitops.merge',
      'This needs project.gitops.merge, which the agent is not granted; ask a person to merge',
    )
  }
}
