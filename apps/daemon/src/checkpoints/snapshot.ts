import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { must } from '../repository/git.ts'
import type { GitWith } from './git-with.ts'

/** A working tree as it stands: what is committed, what is staged, and everything that is not ignored. */
export interface Snapshot {
  /** The commit that holds all of it. */
  readonly commit: string
  /** Equal for two snapshots that would be restored alike. */
  readonly state: string
  /** Nothing in it that its own head does not have. */
  readonly clean: boolean
  readonly head: string | null
}

const identity = {
  GIT_AUTHOR_NAME: 'svc',
  GIT_AUTHOR_EMAIL: 'noreply@svc.invalid',
  GIT_COMMITTER_NAME: 'svc',
  GIT_COMMITTER_EMAIL: 'noreply@svc.invalid',
}

/** Reads the agent's index and files and changes neither: everything is done in an index of its own. */
export async function takeSnapshot(parts: {
  readonly git: GitWith
  readonly workspace: string
  readonly index_file: string
}): Promise<Snapshot> {
  const { git, workspace, index_file } = parts
  const own = { GIT_INDEX_FILE: index_file }
  mkdirSync(dirname(index_file), { recursive: true })
  rmSync(`${index_file}.lock`, { force: true })
  copyIndex(join(workspace, '.git', 'index'), index_file)
  try {
    const head = await optional(git({}, 'rev-parse', '-q', '--verify', 'HEAD^{commit}'))
    const branch = await optional(git({}, 'symbolic-ref', '-q', '--short', 'HEAD'))
    // An index in the middle of a merge has no tree: what is staged is then what is there.
    const staged = await optional(git(own, 'write-tree'))
    // A file that cannot be read is left out; the others are kept.
    await git(own, '-c', 'advice.addEmbeddedRepo=false', 'add', '-A', '--ignore-errors', '--', '.')
    const work = await must('Saving the files', git(own, 'write-tree'))
    const index = staged ?? work
    const clean = head !== null && index === work && work === (await treeOf(git, head))
    const parents = head === null ? [] : ['-p', head]
    const staged_commit = await must(
      'Saving the index',
      git(identity, 'commit-tree', index, ...parents, '-m', 'svc index'),
    )
    const about = `Head: ${head ?? 'none'}\nIndex: ${staged_commit}\nBranch: ${branch ?? 'none'}`
    const commit = await must(
      'Saving the checkpoint',
      git(
        identity,
        'commit-tree',
        work,
        ...parents,
        '-p',
        staged_commit,
        '-m',
        'svc checkpoint',
        '-m',
        about,
      ),
    )
    return { commit, state: [head, branch, index, work].join(' '), clean, head }
  } finally {
    rmSync(index_file, { force: true })
  }
}

/** With its time: git tells by it which files may have changed unseen, in the moment in which it was written. */
function copyIndex(from: string, to: string): void {
  rmSync(to, { force: true })
  if (!existsSync(from)) return
  const written = Math.floor(statSync(from).mtimeMs / 1000)
  copyFileSync(from, to)
  utimesSync(to, written, written)
}

async function treeOf(git: GitWith, commit: string): Promise<string> {
  return must('Reading the head', git({}, 'rev-parse', `${commit}^{tree}`))
}

async function optional(result: ReturnType<GitWith>): Promise<string | null> {
  const { ok, stdout } = await result
  return ok && stdout.trim() !== '' ? stdout.trim() : null
}
