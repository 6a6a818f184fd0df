import { askObjects } from '../objects/ask-objects.ts'
import type { Repository } from '../repository.ts'
import { treePath } from './tree-path.ts'

/** The blobs of files at a commit, null where there is no such file. Nothing of their contents is read. */
export async function blobShas(
  repository: Repository,
  commit_sha: string,
  paths: readonly string[],
): Promise<(string | null)[]> {
  const found = await askObjects(
    repository,
    paths.map((path) => ({ command: 'info', name: `${commit_sha}:${treePath(path)}` })),
  )
  return found.map((object) => (object?.type === 'blob' ? object.sha : null))
}
