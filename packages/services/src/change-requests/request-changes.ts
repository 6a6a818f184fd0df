import { statusAfter } from '@svc/change-request'
import { type AccessibleProject, audited, type Context, requireActor } from '@svc/context'
import { type ChangeRequestRow, changeRequests, type Db, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { enqueueOwed, type OwedJob } from '../sessions/owed-jobs.ts'
import type { PromptContext } from '../sessions/prompts/prompt.ts'
import { putPrompt } from '../sessions/prompts/put-prompt.ts'
import { mayDrive } from '../sessions/session-access.ts'
import { ofChangeRequest } from './audit.ts'
import { type ChangeRequestInput, requireChangeRequest } from './find-change-request.ts'
import { logEvents } from '../sessions/log/log-events.ts'

export interface RequestChangesInput extends ChangeRequestInput {
  readonly feedback: string
  /** Written together with it. */
  readonly also?: (tx: Db) => Promise<void>
}

/**
 * Records the feedback and, together with it, puts it into the prompts of the session that the change request comes from,
 * where its sender may speak to that agent. Otherwise the session's log tells its owner, who decides.
 */
export async function requestChanges(
  ctx: PromptContext,
  input: RequestChangesInput,
): Promise<{ change_request: ChangeRequestRow; delivering: boolean }> {
  const { project, row } = await requireChangeRequest(ctx, input, 'project.gitops.push')
  const by = requireActor(ctx)
  const now = ctx.now()
  const feedback = { text: input.feedback, by, at: now.toISOString() }
  const { updated, delivery } = await audited(ctx, ofChangeRequest('requestChanges', row), async (tx) => {
    const delivery = await deliver(ctx, tx, { project, row, feedback })
    const updated = await changeRequests.apply(tx, row.cr_id, 'request_changes', { entry: feedback }, now)
    if (updated) {
      await input.also?.(tx)
      return { updated, delivery }
    }
    statusAfter((await changeRequests.find(tx, input))?.status ?? row.status, 'request_changes')
    throw new ServiceError(
      'conflict',
      'The change request moved while changes were being requested; read it and try again',
    )
  })
  if (delivery !== null) await enqueueOwed(ctx, delivery.jobs)
  return { change_request: updated, delivering: delivery !== null }
}

interface Feedback {
  readonly project: AccessibleProject
  readonly row: ChangeRequestRow
  readonly feedback: { readonly text: string; readonly by: string }
}

/** Null when no agent is told. The session's row is held before the change request's, as a removal does. */
async function deliver(
  ctx: Pick<Context, 'principal' | 'now' | 'newId' | 'settings' | 'maintenance' | 'metrics' | 'traceparent'>,
  tx: Db,
  { project, row, feedback }: Feedback,
): Promise<{ readonly jobs: readonly OwedJob[] } | null> {
  const { project_id, origin_session_id: session_id } = row
  if (session_id === null) return null
  const session = await sessions.find(tx, { project_id, session_id })
  if (!session) return null
  if (!mayDrive(ctx, { project, session })) {
    await notifyOwner(ctx, tx, { row, session_id, feedback })
    return null
  }
  const put = await putPrompt(ctx, tx, session, {
    text: `Changes were requested on change request #${row.number} (${row.title}):\n\n${feedback.text}\n\nMake them on the same branch, commit and push; the change request follows the branch.`,
    source: 'request_changes',
    dedupe_key: null,
    by: feedback.by,
    // The feedback is kept whether or not there is room to wake the session now: its delivery stays owed.
    without_room: 'keep',
  })
  return put.kind === 'put' ? put : null
}

async function notifyOwner(
  ctx: Pick<Context, 'now' | 'metrics'>,
  tx: Db,
  { row, session_id, feedback }: Omit<Feedback, 'project'> & { readonly session_id: string },
): Promise<void> {
  const text = `Changes were requested on change request #${row.number} (${row.title}) by a person who may not prompt this session's agent. The agent was not told; send it a prompt if it should make them:\n\n${feedback.text}`
  const payload = {
    source: 'request_changes',
    cr_id: row.cr_id,
    cr_number: row.number,
    by: feedback.by,
    text,
  }
  await logEvents(ctx, tx, session_id, [{ type: 'notice', at: ctx.now(), payload }])
}
