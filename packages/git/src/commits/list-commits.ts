import { ServiceError } from '@svc/errors'
import { type Commit, logFormat, parseLog } from '../parse/log.ts'
import { type Repository, tryGit } from '../repository.ts'
import { GitError } from '../runner/git-error.ts'
import { isAncestor } from '../history/is-ancestor.ts'
import { resolveCommit } from './resolve-commit.ts'
import { treePath } from '../files/tree-path.ts'

export interface ListCommitsRequest {
  readonly ref: string
  readonly limit: number
  /** `next_cursor` of the page before: pages stay in step even when the branch moves between them. */
  readonly after?: string | undefined
  /** Leaves out what this commit reaches. */
  readonly not?: string | undefined
  /** Only commits that touch this file or folder. */
  readonly path?: string | undefined
}

export interface CommitPage {
  readonly commits: readonly Commit[]
  readonly next_cursor: string | null
}

/** The history of a ref, newest first. */
export async function listCommits(repository: Repository, request: ListCommitsRequest): Promise<CommitPage> {
  const { ref, limit, after, not, path } = request
  const now = await resolveCommit(repository, ref)
  const { tip, skip } = after === undefined ? { tip: now, skip: 0 } : parseCursor(after)
  // A cursor names a commit: one that this ref does not reach may be hidden from its reader.
  if (tip !== now && !(await isAncestor(repository, tip, now).catch(notThere))) throw badCursor()
  const window = [`--skip=${skip}`, `--max-count=${limit + 1}`]
  const paths = path === undefined ? [] : [treePath(path)]
  const left_out = not === undefined ? [] : [`^${await resolveCommit(repository, not)}`]
  const args = [
    'log',
    `--format=${logFormat}`,
    ...window,
    '--end-of-options',
    tip,
    ...left_out,
    '--',
    ...paths,
  ]
  const result = await tryGit(repository, args)
  if (result.exit_code !== 0) {
    if (after !== undefined) throw badCursor()
    throw new GitError('log', result.exit_code, result.stderr)
  }
  const commits = parseLog(result.stdout)
  const next_cursor = commits.length > limit ? `${tip}.${skip + limit}` : null
  return { commits: commits.slice(0, limit), next_cursor }
}

function parseCursor(cursor: string): { readonly tip: string; readonly skip: number } {
  const [, tip, skip] = /^([0-9a-f]{40})\.(\d{1,9})$/.exec(cursor) ?? []
  if (tip === undefined) throw badCursor()
  return { tip, skip: Number(skip) }
}

function notThere(error: unknown): false {
  if (error instanceof GitError) return false
  throw error
}

const badCursor = (): ServiceError =>
  new ServiceError('invalid_request', 'This cursor is none that a list returned; ask without one.')
