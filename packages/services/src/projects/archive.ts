import { projects, sessions, tokens } from '@svc/db'
import { requireProject } from '../access/require.ts'
import type { Context } from '../context.ts'
import { removeSession } from '../sessions/remove-session.ts'

/** Later reads answer 404; the repository and the rows stay, sandboxes and tokens do not. */
export async function archiveProject(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'enqueue'>,
  input: { project_id: string },
): Promise<void> {
  const { project_id } = await requireProject(ctx, input.project_id, 'project.delete')
  const now = ctx.now()
  await projects.update(ctx.db, project_id, { status: 'archived', archived_at: now, updated_at: now })
  await tokens.revokeOfProject(ctx.db, project_id, now)
  for (const session_id of await sessions.listOfProject(ctx.db, project_id)) {
    await removeSession(ctx, { project_id, session_id })
  }
}
