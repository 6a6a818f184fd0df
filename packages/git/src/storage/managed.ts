import { ServiceError } from '@svc/errors'
import { createBranch } from '../refs/create-branch.ts'
import { branchRef } from '../refs/ref-name.ts'
import type { Repository } from '../repository.ts'
import { resolveBranch } from '../refs/resolve-branch.ts'
import { writeCommit } from '../commits/write-commit.ts'

export interface Seed {
  readonly default_branch: string
  readonly files: Readonly<Record<string, string | Uint8Array>>
  readonly message: string
  readonly committed_at: Date
}

/** The first commit of a branch that has none. Returns the tip, also when another process made it. */
export async function seedManaged(repository: Repository, seed: Seed): Promise<string> {
  requireRef(seed.default_branch)
  const present = await resolveBranch(repository, seed.default_branch)
  if (present !== null) return present
  const commit_sha = await writeCommit(repository, {
    parent_sha: null,
    changes: Object.entries(seed.files).map(([path, content]) => ({ path, content })),
    message: seed.message,
    committed_at: seed.committed_at,
  })
  const outcome = await createBranch(repository, { branch: seed.default_branch, at_sha: commit_sha })
  switch (outcome.kind) {
    case 'created':
      return commit_sha
    case 'exists':
      return outcome.actual_sha ?? commit_sha
    case 'rejected':
      throw new ServiceError('conflict', outcome.message)
  }
}

/** The full ref of a branch; throws `invalid_request` for a name that cannot be one. */
export function requireRef(branch: string): string {
  const ref = branchRef(branch)
  if (ref !== null) return ref
  throw new ServiceError(
    'invalid_request',
    `${JSON.stringify(branch)} is not a branch name; give one without spaces, .. or ~ ^ : ? * [ in it.`,
  )
}
