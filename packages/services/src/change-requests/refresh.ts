import type { AccessibleProject, Context } from '@svc/context'
import { type ChangeRequestRow, changeRequests } from '@svc/db'
import { branchTips } from '@svc/git'
import { tryOpenRepository } from '../projects/repository.ts'

export type RefreshContext = Pick<Context, 'db' | 'repositories' | 'vault' | 'now' | 'signal'>

/**
 * Open rows with the live tips of their branches: one look at the refs serves them all. Rows whose branch is missing,
 * and all of them while the repository cannot be reached, are served as they are stored.
 */
export async function refreshOpen(
  ctx: RefreshContext,
  project: AccessibleProject,
  rows: readonly ChangeRequestRow[],
): Promise<ChangeRequestRow[]> {
  const open = rows.filter((row) => row.status === 'open')
  if (open.length === 0) return [...rows]
  const repository = await tryOpenRepository(ctx, project)
  if (repository === null) return [...rows]
  const live = await branchTips(
    repository,
    open.flatMap(({ head_ref, base_ref }) => [head_ref, base_ref]),
  )
  const moved = new Map(rows.flatMap((row) => movedTips(live, row)).map((seen) => [seen.cr_id, seen]))
  if (moved.size === 0) return [...rows]
  const kept = await changeRequests.refreshTips(ctx.db, [...moved.values()], ctx.now())
  const known = new Map(kept.map((row) => [row.cr_id, row]))
  // Merged or closed meanwhile, or another reader is keeping the same tips.
  const others = [...moved.keys()].filter((cr_id) => !known.has(cr_id))
  for (const row of await changeRequests.listByIds(ctx.db, others)) {
    known.set(row.cr_id, row.status === 'open' ? { ...row, ...moved.get(row.cr_id) } : row)
  }
  return rows.map((row) => known.get(row.cr_id) ?? row)
}

function movedTips(live: ReadonlyMap<string, string>, row: ChangeRequestRow): changeRequests.SeenTips[] {
  const { cr_id, status } = row
  const head_commit_sha = live.get(row.head_ref)
  const base_commit_sha = live.get(row.base_ref)
  if (status !== 'open' || head_commit_sha === undefined || base_commit_sha === undefined) return []
  if (row.head_commit_sha === head_commit_sha && row.base_commit_sha === base_commit_sha) return []
  return [{ cr_id, head_commit_sha, base_commit_sha }]
}
