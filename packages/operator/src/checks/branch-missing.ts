import { checkedRows } from '@svc/db'
import { createBranch, newestCheckpoint, type Repository, tips, unreached } from '@svc/git'
import type { Check, Found } from './check.ts'
import { eachRepository } from './each-project.ts'

/** A session that runs, and its branch is not there. */
export const branchMissing: Check = {
  name: 'branch_missing',
  worker: 'merge',
  of: 'project',
  run: (ctx, scope) =>
    eachRepository(ctx, scope, async ({ project_id }, repository) => {
      const sessions = await checkedRows.liveBranches(ctx.db, project_id)
      if (sessions.length === 0) return []
      const there = await tips(repository)
      const found: Found[] = []
      for (const { session_id, branch_name } of sessions) {
        if (there.has(branch_name)) continue
        const at_sha = await lastHead(repository, session_id, branch_name)
        found.push({
          severity: 'error',
          project_id,
          subject: `sessions/${session_id}`,
          message:
            at_sha === null
              ? `The branch ${branch_name} is gone, and no checkpoint says where it stood; push it again from the sandbox`
              : `The branch ${branch_name} is gone; its newest checkpoint was taken at ${at_sha}`,
          ...(at_sha !== null && {
            repair: async () =>
              (await createBranch(repository, { branch: branch_name, at_sha })).kind === 'created',
          }),
        })
      }
      return found
    }),
}

/** The commit that the branch had when its work was saved last, if the repository has it. */
async function lastHead(repository: Repository, session_id: string, branch: string): Promise<string | null> {
  const newest = await newestCheckpoint(repository, session_id)
  if (newest === null || newest.branch !== branch || newest.head_sha === null) return null
  const { missing } = await unreached(repository, null, [newest.head_sha])
  return missing.size === 0 ? newest.head_sha : null
}
