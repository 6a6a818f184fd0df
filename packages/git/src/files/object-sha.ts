import { askObjects } from '../objects/ask-objects.ts'
import type { Repository } from '../repository.ts'
import { treePath } from './tree-path.ts'

/** The SHA of a file or folder at a commit, the root for an empty path; null where there is none. It changes with its contents. */
export async function objectSha(
  repository: Repository,
  commit_sha: string,
  path: string,
): Promise<string | null> {
  const name = path === '' ? `${commit_sha}^{tree}` : `${commit_sha}:${treePath(path)}`
  const [found] = await askObjects(repository, [{ command: 'info', name }])
  return found?.sha ?? null
}
