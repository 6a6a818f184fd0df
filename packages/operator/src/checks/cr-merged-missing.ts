import { checkedRows } from '@svc/db'
import { resolveBranch, unreached } from '@svc/git'
import { restoreMerged } from '@svc/services'
import type { Check, Found } from './check.ts'
import { eachRepository } from './each-project.ts'
import { groupBy } from './group-by.ts'

/** A change request says `merged`, and its base does not have the commit: a repository that is older than its rows. */
export const crMergedMissing: Check = {
  name: 'cr_merged_missing',
  worker: 'merge',
  of: 'project',
  run: (ctx, scope) =>
    eachRepository(ctx, scope, async ({ project_id }, repository) => {
      const found: Found[] = []
      const byBase = groupBy(await checkedRows.merged(ctx.db, project_id), ({ base_ref }) => base_ref)
      for (const [base_ref, merged] of byBase) {
        const tip = await resolveBranch(repository, base_ref)
        const shas = merged.map(({ merge_commit_sha }) => merge_commit_sha)
        const { outside, missing } = await unreached(repository, tip, shas)
        for (const { cr_id, number, merge_commit_sha: sha } of merged) {
          const is_missing = missing.has(sha)
          if (!is_missing && !outside.has(sha)) continue
          const where = is_missing ? 'its repository does not have' : `${base_ref} does not contain`
          const next = is_missing
            ? 'restore the repository from a backup that is newer than the merge'
            : `bring it back to ${base_ref}, or leave it if it was taken out on purpose`
          found.push({
            severity: tip === null && !is_missing ? 'warning' : 'error',
            project_id,
            subject: `change-requests/${cr_id}`,
            message: `CR #${number} is merged as ${sha}, which ${where}; ${next}`,
            ...(!is_missing && tip !== null && { repair: () => restoreMerged(ctx, { project_id, cr_id }) }),
          })
        }
      }
      return found
    }),
}
