import { type Context, recordAudit, requireProject } from '@svc/context'
import { projects, sessions, tokens } from '@svc/db'
import { removeInside } from './remove-session.ts'

/** Archives a project. Later reads answer 404; the repository and the rows stay, sandboxes and tokens do not. */
export async function archiveProject(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'enqueue' | 'metrics'>,
  input: { project_id: string },
): Promise<void> {
  const { account_id, project_id } = await requireProject(ctx, input.project_id, 'project.delete')
  const now = ctx.now()
  const removed = await ctx.db.transaction().execute(async (tx) => {
    await projects.archive(tx, project_id, now)
    await tokens.revokeOfProject(tx, project_id, now)
    // With the project, since no caller finds them behind an archived one.
    const session_ids = await sessions.listOfProject(tx, project_id)
    for (const session_id of session_ids) await removeInside(ctx, tx, { project_id, session_id })
    const target = `projects/${project_id}`
    await recordAudit(ctx, tx, { account_id, project_id, action: 'archiveProject', target })
    return session_ids
  })
  for (const session_id of removed) await ctx.enqueue('session', 'sandbox.destroy', { session_id })
}
