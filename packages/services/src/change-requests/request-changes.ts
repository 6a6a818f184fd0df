import { statusAfter } from '@svc/change-request'
import {
  type ChangeRequestRow,
  changeRequests,
  type Db,
  sessionEvents,
  sessionPrompts,
  sessions,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { requireActor } from '../access/require.ts'
import { audited } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { mayDrive } from '../sessions/session-access.ts'
import { wakeSession } from '../sessions/start.ts'
import { ofChangeRequest } from './audit.ts'
import { type ChangeRequestInput, getChangeRequestRow, requireChangeRequest } from './find-change-request.ts'

/**
 * Records the feedback and, together with it, puts it into the prompts of the session that the change request comes from,
 * where its sender may speak to that agent. Where they may not, the session's log tells its owner, who decides.
 */
export async function requestChanges(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'enqueue' | 'settings' | 'log'>,
  input: ChangeRequestInput & { readonly feedback: string },
): Promise<{ change_request: ChangeRequestRow; delivering: boolean }> {
  const { project, row } = await requireChangeRequest(ctx, input, 'project.gitops.push')
  const by = requireActor(ctx)
  const now = ctx.now()
  const feedback = { text: input.feedback, by, at: now.toISOString() }
  const recorded = await audited(ctx, ofChangeRequest('requestChanges', row), async (tx) => {
    const session = await originSession(tx, row)
    const updated = await changeRequests.appendRequestedChange(tx, row.cr_id, feedback, now)
    if (!updated) return undefined
    if (!session) return { updated, session: undefined }
    if (mayDrive(ctx, { project, session })) {
      await deliver(ctx, tx, { row: updated, session, feedback, now })
      return { updated, session }
    }
    await tellOwner(tx, { row: updated, session, feedback, now })
    return { updated, session: undefined }
  })
  if (!recorded) {
    statusAfter((await getChangeRequestRow(ctx, input)).status, 'request_changes')
    throw new ServiceError('conflict', 'The change request moved while changes were being requested')
  }
  const { updated, session } = recorded
  if (session) {
    const { session_id } = session
    // The feedback is kept whether or not there is room to wake the session now: its delivery stays owed.
    await wakeSession(ctx, session).catch((error: unknown) =>
      ctx.log.warn({ err: error, session_id }, 'a session was not woken'),
    )
    await ctx.enqueue('session', 'prompts.deliver', { session_id })
  }
  return { change_request: updated, delivering: session !== undefined }
}

/** The session that the change request comes from, its row held before the change request's, as a removal does. */
async function originSession(tx: Db, row: ChangeRequestRow): Promise<sessions.SessionView | undefined> {
  if (row.origin_session_id === null) return undefined
  await sessions.lock(tx, row.origin_session_id)
  return sessions.find(tx, { project_id: row.project_id, session_id: row.origin_session_id })
}

interface Feedback {
  readonly row: ChangeRequestRow
  readonly session: sessions.SessionView
  readonly feedback: { readonly text: string; readonly by: string }
  readonly now: Date
}

async function deliver(
  ctx: Pick<Context, 'newId'>,
  tx: Db,
  { row, session: { session_id }, feedback, now }: Feedback,
): Promise<void> {
  const prompt_id = ctx.newId()
  const text = `Changes were requested on change request #${row.number} (${row.title}):\n\n${feedback.text}\n\nMake them on the same branch, commit and push; the change request follows the branch.`
  await sessionEvents.append(tx, session_id, [
    { type: 'prompt', at: now, payload: { prompt_id, text, source: 'request_changes' } },
  ])
  await sessionPrompts.insert(tx, {
    prompt_id,
    session_id,
    text,
    source: 'request_changes',
    agent: null,
    model: null,
    error: null,
    dedupe_key: null,
    created_by: feedback.by,
    created_at: now,
    updated_at: now,
  })
}

async function tellOwner(tx: Db, { row, session, feedback, now }: Feedback): Promise<void> {
  const text = `Changes were requested on change request #${row.number} (${row.title}) by somebody who may not speak to this session's agent. The agent was not told; send it a prompt if it should make them:\n\n${feedback.text}`
  const payload = {
    source: 'request_changes',
    cr_id: row.cr_id,
    cr_number: row.number,
    by: feedback.by,
    text,
  }
  await sessionEvents.append(tx, session.session_id, [{ type: 'notice', at: now, payload }])
}
