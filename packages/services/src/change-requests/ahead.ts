import { ServiceError } from '@svc/errors'
import { aheadBehind, type Repository } from '@svc/git'
import { liveTips } from './live-tips.ts'

export interface Tips {
  readonly head_commit_sha: string
  readonly base_commit_sha: string
}

/** The tips of a pair whose head has something to merge; refused otherwise. */
export async function requireAhead(
  repository: Repository,
  { head_ref, base_ref }: { readonly head_ref: string; readonly base_ref: string },
): Promise<Tips> {
  const { base_sha: base_commit_sha, head_sha: head_commit_sha } = await liveTips(repository, {
    base_ref,
    head_ref,
  })
  if (base_commit_sha === null) throw unknownBase(base_ref)
  if (head_commit_sha === null)
    throw notAhead(`There is no branch named ${JSON.stringify(head_ref)}; push it first`)
  const { ahead } = await aheadBehind(repository, { base_sha: base_commit_sha, head_sha: head_commit_sha })
  if (ahead === 0) {
    throw notAhead(`${head_ref} has no commits that ${base_ref} does not have; commit and push first`)
  }
  return { head_commit_sha, base_commit_sha }
}

export function notAhead(message: string): ServiceError {
  return new ServiceError('CR_HEAD_NOT_AHEAD', message)
}

/** The head branch of a change request was removed. */
export function headGone({ head_ref }: { readonly head_ref: string }): ServiceError {
  return notAhead(`The branch ${head_ref} is gone; push it again, or close the change request`)
}

export function unknownBase(base_ref: string): ServiceError {
  return new ServiceError(
    'CR_REF_NOT_FOUND',
    `There is no branch named ${JSON.stringify(base_ref)}; push it first, or name another base_ref`,
    {
      ref: base_ref,
    },
  )
}
