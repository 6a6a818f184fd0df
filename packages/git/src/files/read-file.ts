import { ServiceError } from '@svc/errors'
import { askAlone, askObjects } from '../objects/ask-objects.ts'
import { maxSharedBytes } from '../objects/object-reader.ts'
import { isSha } from '../refs/ref-name.ts'
import type { Repository } from '../repository.ts'
import { noSuchRef, resolveCommit } from '../commits/resolve-commit.ts'
import { treePath } from './tree-path.ts'

export interface StoredFile {
  readonly content: Buffer
  readonly blob_sha: string
  readonly size: number
}

const defaultMaxBytes = 8 * 1024 * 1024

/** A file as it is at a ref or commit; null when there is none. A symbolic link reads as its target's name. */
export async function readFile(
  repository: Repository,
  { ref, path, max_bytes = defaultMaxBytes }: { ref: string; path: string; max_bytes?: number },
): Promise<StoredFile | null> {
  const name = treePath(path)
  // A whole SHA means that object, as it does to git: whether it is a commit is asked along with the file.
  const commit = isSha(ref) ? ref : await resolveCommit(repository, ref)
  const [known, file] = await askObjects(repository, [
    { command: 'info', name: `${commit}^{commit}` },
    { command: 'info', name: `${commit}:${name}` },
  ])
  if (!known) throw noSuchRef(commit)
  if (!file || file.type !== 'blob') return null
  const { sha: blob_sha, size } = file
  if (size > max_bytes) {
    throw new ServiceError(
      'payload_too_large',
      `${name} is larger than ${max_bytes} bytes; clone the repository to read it.`,
      { size },
    )
  }
  const ask = size > maxSharedBytes ? askAlone : askObjects
  const [blob] = await ask(repository, [{ command: 'contents', name: blob_sha }])
  return blob ? { content: blob.content, blob_sha, size } : null
}
