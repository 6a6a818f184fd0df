import { type Context, requireProject } from '@svc/context'
import { presentProject } from './present.ts'

export async function getProject(
  ctx: Pick<Context, 'db' | 'principal' | 'settings'>,
  input: { project_id: string },
) {
  return presentProject(ctx.settings, await requireProject(ctx, input.project_id, 'project.read'))
}
