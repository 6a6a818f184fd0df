import { sessionCreates } from '@svc/db'
import { requireProject } from '../access/require.ts'
import type { Context } from '../context.ts'
import { requireSession, type SessionInput } from './find-session.ts'
import { removeSession } from './remove-session.ts'

/** The row and the branch stay; the sandbox and every token of the session end. */
export async function deleteSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'enqueue'>,
  input: SessionInput,
): Promise<void> {
  const { project_id, session_id } = input
  await requireProject(ctx, project_id, 'project.session.stop')
  // One that still waits for room never comes to be.
  if (await sessionCreates.remove(ctx.db, { project_id, session_id })) return
  const { session } = await requireSession(ctx, input, 'project.session.stop')
  await removeSession(ctx, session)
}
