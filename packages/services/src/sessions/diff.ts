import type { Context } from '@svc/context'
import { limits } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import { diff, isAncestor, newestCheckpoint, type Repository, resolveBranch } from '@svc/git'
import { openRepository } from '../projects/repository.ts'
import type { SessionInput } from './find-session.ts'
import { requireReader } from './session-access.ts'

type DiffContext = Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'signal'>

/** The work of a session since it parted from its base: on its branch, or as it was saved last where that is newer. */
export async function getSessionDiff(
  ctx: DiffContext,
  input: SessionInput & { readonly path?: string | undefined },
) {
  const { project, session } = await requireReader(ctx, input)
  const repository = await openRepository(ctx, project)
  const { base_ref, branch_name: head_ref, session_id } = session
  const base = await resolveBranch(repository, base_ref)
  const branch = await resolveBranch(repository, head_ref)
  const saved = project.kind === 'managed' ? await newestCheckpoint(repository, session_id) : null
  const { head, source } = await newest(repository, branch, saved?.sha ?? null)
  if (base === null || head === null)
    throw new ServiceError(
      'not_found',
      `There is no branch ${base === null ? base_ref : head_ref} any more; push it again, or start another session`,
    )
  const changes = await diff(repository, {
    base,
    head,
    three_dot: true,
    max_patch_bytes: limits.patchBytes,
    path: input.path,
  })
  return { base_ref, head_ref, source, ...changes }
}

interface Found {
  readonly head: string | null
  readonly source: 'branch' | 'checkpoint'
}

/** The saved work, as long as it was made on the branch as it is; else the branch. */
async function newest(repository: Repository, branch: string | null, saved: string | null): Promise<Found> {
  if (saved === null) return { head: branch, source: 'branch' }
  const behind = branch === null || (await isAncestor(repository, branch, saved))
  return behind ? { head: saved, source: 'checkpoint' } : { head: branch, source: 'branch' }
}
