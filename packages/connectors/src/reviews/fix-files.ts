import type { AccessibleProject, Context } from '@svc/context'
import type { ReviewFile } from '@svc/db'
import { ServiceError } from '@svc/errors'
import * as git from '@svc/git'
import { openRepository } from '@svc/services'

/**
 * Ties files to the commit that a branch is at, so that what is approved is what was shown. 404 with the path of a file, or
 * of the branch, that is not there.
 */
export async function fixFiles(
  ctx: Pick<Context, 'vault' | 'repositories' | 'signal'>,
  project: AccessibleProject,
  branch: string,
  paths: readonly string[],
): Promise<readonly ReviewFile[]> {
  if (paths.length === 0) return []
  const repository = await openRepository(ctx, project)
  const commit_sha = await git.resolveBranch(repository, branch)
  if (commit_sha === null)
    throw new ServiceError(
      'not_found',
      `There is no branch ${JSON.stringify(branch)} to take the files of; push it first`,
    )
  const wanted = [...new Set(paths)]
  const blobs = await git.blobShas(repository, commit_sha, wanted)
  const missing = wanted.find((_, index) => blobs[index] === null)
  if (missing !== undefined)
    throw new ServiceError(
      'not_found',
      `There is no file ${JSON.stringify(missing)} on ${branch}; commit and push it before it is shown`,
      { path: missing },
    )
  return wanted.map((path) => ({ path, commit_sha }))
}
