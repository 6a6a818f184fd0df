import { ServiceError } from '@svc/errors'
import { repositoryTarget } from '@svc/services'
import type { Check } from './check.ts'
import { eachProject } from './each-project.ts'
import { fromNewestBackup } from './newest-backup.ts'

/** A managed project whose repository is not in the store. */
export const repositoryMissing: Check = {
  name: 'repository_missing',
  worker: 'merge',
  of: 'project',
  run: (ctx, scope) =>
    eachProject(ctx, scope, async (project) => {
      if (project.kind !== 'managed') return []
      const { project_id } = project
      try {
        await ctx.repositories.open(repositoryTarget(ctx, project), { signal: ctx.signal })
        return []
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'git_mirror_unavailable') throw error
        const message = `The repository is not there; ${await fromNewestBackup(ctx, project)}`
        return [{ severity: 'error', project_id, subject: `repositories/${project_id}`, message }]
      }
    }),
}
