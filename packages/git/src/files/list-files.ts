import { ServiceError } from '@svc/errors'
import { parseTreeListing, type TreeEntry } from '../parse/tree-listing.ts'
import { type Repository, tryGit } from '../repository.ts'
import { resolveCommit } from '../commits/resolve-commit.ts'
import { treePath } from './tree-path.ts'

const maxListing = 32 * 1024 * 1024

export interface ListFilesRequest {
  readonly ref: string
  /** A folder; the root when absent. */
  readonly path?: string | undefined
  readonly recursive?: boolean
}

/** The entries of a folder at a ref or commit; null when there is no such folder. */
export async function listFiles(
  repository: Repository,
  { ref, path = '', recursive = false }: ListFilesRequest,
): Promise<TreeEntry[] | null> {
  const folder = path.replace(/\/+$/, '') === '' ? '' : treePath(path.replace(/\/+$/, ''))
  const commit = await resolveCommit(repository, ref)
  const flags = recursive ? ['-r', '-t'] : []
  const args = ['ls-tree', '-z', '-l', '--full-tree', ...flags, '--end-of-options', `${commit}:${folder}`]
  const result = await tryGit(repository, args, { max_output: maxListing })
  if (result.cut)
    throw new ServiceError(
      'payload_too_large',
      'The folder holds too many files to list at once; list a folder in it, or clone the repository.',
    )
  return result.exit_code === 0 ? parseTreeListing(result.stdout, folder) : null
}
