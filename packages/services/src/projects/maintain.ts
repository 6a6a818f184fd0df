import type { JobContext } from '@svc/context'
import { projects, repositories } from '@svc/db'
import { maintain } from '@svc/git'
import { openRepository } from './repository.ts'

/** Packs what pushes, merges and previews left behind, when it has become worth it, and notes the size. */
export async function maintainRepository(ctx: JobContext, input: { project_id: string }): Promise<void> {
  const project = await projects.find(ctx.db, input.project_id)
  if (project?.status !== 'active') return
  if (await maintain(await openRepository(ctx, project))) ctx.log.info('the repository was packed')
  if (project.kind === 'managed') await noteSize(ctx, input.project_id)
}

async function noteSize(ctx: JobContext, project_id: string): Promise<void> {
  const size = await ctx.repositories.measure(project_id)
  await repositories.measured(ctx.db, { project_id, ...size, now: ctx.now() })
}
