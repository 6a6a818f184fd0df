import { ServiceError } from '@svc/errors'
import { GitError } from './runner/git-error.ts'
import { type Repository, tryGit } from './repository.ts'
import { isSha } from './ref-name.ts'
import { noSuchRef, resolveCommit } from './resolve-commit.ts'
import { treePath } from './tree-path.ts'

export interface StoredFile {
  readonly content: Buffer
  readonly blob_sha: string
  readonly size: number
}

const defaultMaxBytes = 8 * 1024 * 1024
const headerBytes = 256

const headerOf = (line: Buffer) => /^([0-9a-f]{40}) (\w+) (\d+)$/.exec(line.toString('utf8'))

/** A file as it is at a ref or commit; null when there is none. A symbolic link reads as its target's name. */
export async function readFile(
  repository: Repository,
  { ref, path, max_bytes = defaultMaxBytes }: { ref: string; path: string; max_bytes?: number },
): Promise<StoredFile | null> {
  const name = treePath(path)
  // A whole SHA means that object, as it does to git: whether it is a commit is asked along with the file.
  const commit = isSha(ref) ? ref : await resolveCommit(repository, ref)
  const { stdout, exit_code, stderr } = await tryGit(repository, ['cat-file', '--batch-command', '-z'], {
    input: `info ${commit}^{commit}\0contents ${commit}:${name}\0`,
    max_output: max_bytes + headerBytes,
  })
  const known = stdout.indexOf('\n')
  if (!headerOf(stdout.subarray(0, known))) {
    if (exit_code === 0) throw noSuchRef(commit)
    throw new GitError('cat-file', exit_code, stderr)
  }
  const answer = stdout.subarray(known + 1)
  const end = answer.indexOf('\n')
  const header = headerOf(answer.subarray(0, end))
  if (!header) {
    if (exit_code === 0) return null
    throw new GitError('cat-file', exit_code, stderr)
  }
  const [, blob_sha = '', type, bytes] = header
  const size = Number(bytes)
  if (type !== 'blob') return null
  if (size > max_bytes) {
    throw new ServiceError('payload_too_large', `${name} is larger than ${max_bytes} bytes.`, { size })
  }
  return { content: answer.subarray(end + 1, end + 1 + size), blob_sha, size }
}
