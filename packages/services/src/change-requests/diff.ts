import type { Context } from '@svc/context'
import { limits } from '@svc/contract'
import type { ChangeRequestRow } from '@svc/db'
import { diff, type Repository } from '@svc/git'
import { openRepository } from '../projects/repository.ts'
import { headGone, unknownBase } from './ahead.ts'
import { type ChangeRequestInput, requireChangeRequest } from './find-change-request.ts'
import { liveTips } from './live-tips.ts'

/** Three-dot between the live branches; for a merged one between the commits that were captured. */
export async function getChangeRequestDiff(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'signal'>,
  input: ChangeRequestInput & { readonly path?: string | undefined },
) {
  const { project, row } = await requireChangeRequest(ctx, input, 'project.read')
  const repository = await openRepository(ctx, project)
  const { base, head } = await ends(repository, row)
  const changes = await diff(repository, {
    base,
    head,
    three_dot: true,
    max_patch_bytes: limits.patchBytes,
    ...(input.path === undefined ? {} : { path: input.path }),
  })
  const { cr_id, base_ref, head_ref } = row
  return { cr_id, base_ref, head_ref, ...changes }
}

async function ends(repository: Repository, row: ChangeRequestRow): Promise<{ base: string; head: string }> {
  if (row.status === 'merged' && row.base_commit_sha !== null && row.head_commit_sha !== null) {
    return { base: row.base_commit_sha, head: row.head_commit_sha }
  }
  const { base_sha: base, head_sha: head } = await liveTips(repository, row)
  if (base === null) throw unknownBase(row.base_ref)
  if (head === null) throw headGone(row)
  return { base, head }
}
