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
import { wakeSession } from '../sessions/start.ts'
import { ofChangeRequest } from './audit.ts'
import { type ChangeRequestInput, getChangeRequestRow, requireChangeRequest } from './find-change-request.ts'

/** Records the feedback and puts it into the inbox of the session that opened the change request, together. */
export async function requestChanges(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'enqueue' | 'settings' | 'log'>,
  input: ChangeRequestInput & { readonly feedback: string },
): Promise<{ change_request: ChangeRequestRow; delivering: boolean }> {
  const { row } = await requireChangeRequest(ctx, input, 'project.gitops.push')
  const by = requireActor(ctx)
  const now = ctx.now()
  const feedback = { id: ctx.newId(), text: input.feedback, by, at: now.toISOString() }
  const recorded = await audited(ctx, ofChangeRequest('requestChanges', row), async (tx) => {
    const updated = await changeRequests.appendRequestedChange(tx, row.cr_id, feedback, now)
    if (!updated) return undefined
    return { updated, session: await address(ctx, tx, updated, feedback, now) }
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

async function address(
  ctx: Pick<Context, 'newId'>,
  tx: Db,
  row: ChangeRequestRow,
  feedback: { id: string; text: string; by: string },
  now: Date,
): Promise<sessions.SessionView | undefined> {
  if (row.origin_session_id === null) return undefined
  const session = await sessions.find(tx, { project_id: row.project_id, session_id: row.origin_session_id })
  if (!session) return undefined
  const { session_id } = session
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
    dedupe_key: `feedback:${feedback.id}`,
    created_by: feedback.by,
    created_at: now,
    updated_at: now,
  })
  return session
}
