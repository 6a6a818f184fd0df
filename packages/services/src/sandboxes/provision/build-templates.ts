import { projects } from '@svc/db'
import { resolveCommit } from '@svc/git'
import { SandboxError } from '@svc/sandbox'
import type { SandboxContext } from '../../context.ts'
import { manifestAt } from '../../projects/read-manifest.ts'
import { openRepository } from '../../projects/repository.ts'
import { readTemplate } from './template.ts'

/**
 * Makes the images of the templates that the default branch declares, so that the next session need not wait for them.
 * A template that fails is the next session's failure as well, and is told there.
 */
export async function buildTemplates(ctx: SandboxContext, input: { project_id: string }): Promise<void> {
  const project = await projects.find(ctx.db, input.project_id)
  if (!project || ctx.provider.prepare === undefined) return
  const repository = await openRepository(ctx, project)
  const sha = await resolveCommit(repository, project.default_branch)
  const manifest = await manifestAt(repository, sha)
  for (const declared of manifest?.sandbox.templates ?? []) {
    ctx.signal.throwIfAborted()
    try {
      const { template } = await readTemplate(repository, sha, declared)
      await ctx.provider.prepare(template)
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      ctx.log.warn(
        { err: error, project_id: project.project_id, template: declared.slug },
        'a template was not built',
      )
    }
  }
}
