import { heldCapabilities } from '@svc/access'
import { type Context, requireProject } from '@svc/context'
import { presentProject } from './present.ts'

/** The project, and what the caller may do in it: so a client offers nothing that would be refused. */
export async function getProject(
  ctx: Pick<Context, 'db' | 'principal' | 'settings'>,
  input: { project_id: string },
) {
  const project = await requireProject(ctx, input.project_id, 'project.read')
  const { project_id, project_role: role, extra } = project
  const capabilities = heldCapabilities(ctx.principal, { project_id, role, extra: extra ?? [] })
  return { ...presentProject(ctx.settings, project), capabilities }
}
