import { checkedRows } from '@svc/db'
import { isAncestor, landedMerges, type LandedMerge, type Repository, resolveBranch } from '@svc/git'
import { finishLanded } from '@svc/services'
import type { Check, Found } from './check.ts'
import { eachRepository } from './each-project.ts'
import { groupBy } from './group-by.ts'

type Unmerged = Awaited<ReturnType<typeof checkedRows.unmerged>>[number]

/** A change request is open, and the merge of its head is in its base: a row that is older than its repository. */
export const crOpenLanded: Check = {
  name: 'cr_open_landed',
  worker: 'merge',
  of: 'project',
  run: (ctx, scope) =>
    eachRepository(ctx, scope, async ({ project_id }, repository) => {
      const found: Found[] = []
      const byBase = groupBy(await checkedRows.unmerged(ctx.db, project_id), ({ base_ref }) => base_ref)
      for (const [base_ref, open] of byBase) {
        const tip = await resolveBranch(repository, base_ref)
        if (tip === null) continue
        const since = new Date(Math.min(...open.map(({ created_at }) => created_at.getTime())) - skewMs)
        const landed = groupBy(await landedMerges(repository, tip, since), ({ cr_id }) => cr_id)
        for (const cr of open) {
          const merge = await ofItsHead(repository, cr, landed.get(cr.cr_id) ?? [])
          if (merge === undefined) continue
          const { cr_id, number } = cr
          found.push({
            severity: 'error',
            project_id,
            subject: `change-requests/${cr_id}`,
            message: `CR #${number} is open, and ${base_ref} has its merge ${merge.commit_sha}`,
            repair: () => finishLanded(ctx, { project_id, cr_id }, merge),
          })
        }
      }
      return found
    }),
}

/** Commits carry the time of another machine. */
const skewMs = 3_600_000

/** A message is text that its author chose: the commit counts where the head that it brought in is this one's. */
async function ofItsHead(
  repository: Repository,
  { head_ref, head_commit_sha }: Unmerged,
  merges: readonly LandedMerge[],
): Promise<LandedMerge | undefined> {
  for (const merge of merges) {
    if (merge.head_sha === head_commit_sha) return merge
    const head = await resolveBranch(repository, head_ref)
    if (head !== null && (await isAncestor(repository, merge.head_sha, head))) return merge
  }
  return undefined
}
