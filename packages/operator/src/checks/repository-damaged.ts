import { connectivityProblem } from '@svc/git'
import type { Check } from './check.ts'
import { eachRepository } from './each-project.ts'
import { fromNewestBackup } from './newest-backup.ts'

/** A managed repository that lost objects which its references need. A mirror that did is fetched anew by itself. */
export const repositoryDamaged: Check = {
  name: 'repository_damaged',
  worker: 'merge',
  of: 'project',
  run: (ctx, scope) =>
    eachRepository(ctx, scope, async (project, repository) => {
      const { project_id, kind } = project
      const problem = kind === 'managed' ? await connectivityProblem(repository) : null
      if (problem === null) return []
      const message = `The repository lost objects (${problem}); ${await fromNewestBackup(ctx, project)}`
      return [{ severity: 'error', project_id, subject: `repositories/${project_id}`, message }]
    }),
}
