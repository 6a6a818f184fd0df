import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { commitTree } from './commit-tree.ts'
import { treePath } from '../files/tree-path.ts'
import { git, gitText, type GitOptions, type Repository } from '../repository.ts'
import { zeroSha } from '../refs/ref-name.ts'

export interface FileChange {
  readonly path: string
  /** Null removes the file. */
  readonly content: string | Uint8Array | null
}

export interface CommitRequest {
  /** Null writes a first commit. */
  readonly parent_sha: string | null
  readonly changes: readonly FileChange[]
  readonly message: string
  readonly committed_at: Date
}

/** Writes a commit that changes a few files of its parent. No ref moves. */
export async function writeCommit(repository: Repository, request: CommitRequest): Promise<string> {
  const index = join(repository.git_dir, `svc-index-${randomUUID()}`)
  const withIndex: GitOptions = { env: { GIT_INDEX_FILE: index } }
  try {
    if (request.parent_sha !== null) await git(repository, ['read-tree', request.parent_sha], withIndex)
    const entries = await Promise.all(request.changes.map((change) => indexEntry(repository, change)))
    await git(repository, ['update-index', '-z', '--index-info'], { ...withIndex, input: entries.join('') })
    const tree_sha = await gitText(repository, ['write-tree'], withIndex)
    const parents = request.parent_sha === null ? [] : [request.parent_sha]
    return await commitTree(repository, { ...request, tree_sha, parents })
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

async function indexEntry(repository: Repository, { path, content }: FileChange): Promise<string> {
  const name = treePath(path)
  if (content === null) return `0 ${zeroSha}\t${name}\0`
  const blob = await gitText(repository, ['hash-object', '-w', '--stdin'], { input: content })
  return `100644 ${blob}\t${name}\0`
}
