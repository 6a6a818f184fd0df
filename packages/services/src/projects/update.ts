import { audited, type Context, requireProject } from '@svc/context'
import { jsonb, projects } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { presentProject } from './present.ts'

export interface UpdateProjectInput {
  readonly project_id: string
  readonly name?: string | undefined
  readonly metadata?: Record<string, unknown> | undefined
  readonly default_model?: string | null | undefined
}

export async function updateProject(
  ctx: Pick<Context, 'db' | 'principal' | 'settings' | 'now' | 'newId' | 'trail'>,
  input: UpdateProjectInput,
) {
  const project = await requireProject(ctx, input.project_id, 'project.write')
  const { account_id, project_id } = project
  const patch = {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.metadata === undefined ? {} : { metadata: jsonb(input.metadata) }),
    ...(input.default_model === undefined ? {} : { default_model: input.default_model }),
    updated_at: ctx.now(),
  }
  const entry = { account_id, project_id, action: 'updateProject', target: `projects/${project_id}` }
  const row = await audited(ctx, entry, (tx) => projects.patch(tx, project_id, patch))
  if (!row) throw new ServiceError('project_archived', 'The project was archived; work in another one')
  return presentProject(ctx.settings, { ...row, project_role: project.project_role })
}
