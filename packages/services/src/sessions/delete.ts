import { audited, type Context, requireProject } from '@svc/context'
import { sessionCreates } from '@svc/db'
import { ofSession } from './audit.ts'
import { requireSession, type SessionInput } from './find-session.ts'
import { removeInside } from './remove-session.ts'

/** The row and the branch stay; the sandbox and every token of the session end. */
export async function deleteSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'enqueue' | 'metrics'>,
  input: SessionInput,
): Promise<void> {
  const { project_id, session_id } = input
  const { account_id } = await requireProject(ctx, project_id, 'project.session.stop')
  const entry = ofSession('deleteSession', { account_id, project_id, session_id })
  const withdrawn = await audited(ctx, entry, async (tx) =>
    // A session that still waits for room is never made.
    (await sessionCreates.remove(tx, { project_id, session_id })) ? true : undefined,
  )
  if (withdrawn) return
  const { session } = await requireSession(ctx, input, 'project.session.stop')
  await audited(ctx, entry, (tx) => removeInside(ctx, tx, session))
  await ctx.enqueue('session', 'sandbox.destroy', { session_id })
}
