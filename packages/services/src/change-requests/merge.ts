import { canonical } from '@svc/access'
import { statusAfter } from '@svc/change-request'
import { type ChangeRequestRow, jsonb, type MergeAttemptRow, merges } from '@svc/db'
import { type ErrorCode, errorCodes, ServiceError } from '@svc/errors'
import { forbidden, mayAlso, requireActor, requireProject } from '../access/require.ts'
import { askerOf } from '../audit/asker.ts'
import type { Context } from '../context.ts'
import { type ChangeRequestInput, getChangeRequestRow, requireChangeRequest } from './find-change-request.ts'
import { refuseSelfMerge } from './own-work.ts'

export interface MergeInput extends ChangeRequestInput {
  readonly message?: string | undefined
  readonly expected_head_sha?: string | undefined
  readonly expected_base_sha?: string | undefined
}

type MergeContext = Pick<
  Context,
  'db' | 'principal' | 'now' | 'newId' | 'trail' | 'enqueue' | 'notifications' | 'signal'
>

/** Asks the merge-worker for the merge and waits for its outcome; the asking itself is durable. */
export async function mergeChangeRequest(ctx: MergeContext, input: MergeInput) {
  // Asking for a merge needs to see the change request; whether this caller may merge it is said below, by its reason.
  const { project, row } = await requireChangeRequest(ctx, input, 'project.read')
  await refuseUngranted(ctx, row)
  if (!mayAlso(ctx.principal, 'project.gitops.merge', project))
    await requireProject(ctx, input.project_id, 'project.gitops.merge')
  statusAfter(row.status, 'merge')

  const attempt_id = ctx.newId()
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
  const [{ outcome }] = await Promise.all([
    outcomeOf(ctx, attempt_id),
    ctx.enqueue('merge', 'change-request.merge', { attempt_id }),
  ])
  if (outcome?.kind === 'merged') {
    const { kind: _, ...merge } = outcome
    return { change_request: await getChangeRequestRow(ctx, input), merge }
  }
  if (outcome) throw new ServiceError(knownCode(outcome.code), outcome.message, outcome.details)
  throw new ServiceError(
    'request_deadline',
    'The merge has not ended yet; read the change request again in a moment',
    {
      retry_after: 5,
    },
  )
}

/** What a session is told at once; the worker asks again, on the head that it merges. */
async function refuseUngranted(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  row: ChangeRequestRow,
): Promise<void> {
  if (principal.type !== 'session') return
  await refuseSelfMerge(db, principal, row)
  if (!principal.grant.some((name) => canonical(name) === 'project.gitops.merge')) {
    throw forbidden('project.gitops.merge', 'This needs project.gitops.merge, which the agent is not granted')
  }
}

const recheckMs = 250

/** The attempt once it has ended, or as it is when the request's time is up. */
async function outcomeOf(ctx: MergeContext, attempt_id: string): Promise<MergeAttemptRow> {
  let wake = () => {}
  const unsubscribe = ctx.notifications.subscribe('merge', (payload) => {
    if (payload === null || payload.attempt_id === attempt_id) wake()
  })
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve
      })
      const attempt = await merges.findAttempt(ctx.db, attempt_id)
      if (!attempt) throw new ServiceError('not_found', 'There is no such change request')
      if (attempt.status !== 'pending' || ctx.signal.aborted) return attempt
      const timer = setTimeout(() => wake(), recheckMs)
      await changed
      clearTimeout(timer)
    }
  } finally {
    unsubscribe()
  }
}

function knownCode(code: string): ErrorCode {
  return errorCodes.find((known) => known === code) ?? 'conflict'
}
