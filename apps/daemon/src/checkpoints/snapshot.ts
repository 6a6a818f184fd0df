import { copyFileSync, existsSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { must } from '../git/git.ts'
import { makeFolder } from '../shared/make-folder.ts'
import { addFiles } from './add-files.ts'
import { type Files, gitIn } from './git-in.ts'
import type { GitWith } from './git-with.ts'
import { readSideWork, sideWorkLines } from './side-work.ts'

/** A working tree as it stands: what is committed, what is staged, and everything that is not ignored. */
export interface Snapshot {
  /** The commit that holds all of it; of a clean one it is made when it is asked for. */
  readonly commit: () => Promise<string>
  /** Equal for two snapshots that would be restored alike. */
  readonly state: string
  /** Nothing in it that its own head does not have. */
  readonly clean: boolean
  readonly head: string | null
  /** The paths that are too large or could not be read, and are not in it. */
  readonly left_out: readonly string[]
}

export const identity = {
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
  /** True for a snapshot of files alone: the workspace's index means nothing to this repository. */
  readonly without_index?: boolean
}): Promise<Snapshot> {
  const { git, workspace, index_file, without_index = false } = parts
  const files = { git, folder: workspace, index_file }
  makeFolder(dirname(index_file))
  rmSync(`${index_file}.lock`, { force: true })
  rmSync(index_file, { force: true })
  if (!without_index) copyIndex(join(workspace, '.git', 'index'), index_file)
  try {
    const at = await optional(git({}, 'rev-parse', 'HEAD^{commit}', 'HEAD^{tree}'))
    const [head = null, head_tree] = at?.split('\n') ?? []
    const ref = await optional(git({}, 'symbolic-ref', '-q', 'HEAD'))
    const branch = ref?.startsWith(heads) === true ? ref.slice(heads.length) : null
    const side = await readSideWork(git, branch)
    const staged = without_index ? null : await writeStaged(files, head)
    const left_out = await addFiles(files)
    const work = await must('Saving the files', gitIn(files)({}, 'write-tree'))
    const index = staged ?? work
    const parents = head === null ? [] : [head]
    const side_lines = sideWorkLines(side)
    const kept = [...side.branches.map(({ sha }) => sha), ...side.stashes]
    const commit = async (): Promise<string> => {
      const staged_commit = await commitTree(git, index, parents, 'svc index')
      const lines = [
        `Head: ${head ?? 'none'}`,
        `Index: ${staged_commit}`,
        `Branch: ${branch ?? 'none'}`,
        ...side_lines,
      ]
      const about = `svc checkpoint\n\n${lines.join('\n')}`
      return commitTree(git, work, [...parents, staged_commit, ...kept], about)
    }
    const clean = index === work && work === head_tree && kept.length === 0
    // Of any other it is made at once: a repository that cannot take it is of no use.
    const made = clean ? null : await commit()
    return {
      commit: async () => made ?? commit(),
      state: [head, branch, index, work, ...side_lines].join(' '),
      ...{ clean, head, left_out },
    }
  } finally {
    rmSync(index_file, { force: true })
  }
}

const heads = 'refs/heads/'

/** Null in the middle of a merge, when an index has no tree: all the files then count as staged. */
async function writeStaged(files: Files, head: string | null): Promise<string | null> {
  const git = gitIn(files)
  const tree = await optional(git({}, 'write-tree'))
  if (tree !== null || (await git({}, 'ls-files', '--unmerged')).ok) return tree
  // The index cannot be read at all. The files can.
  rmSync(files.index_file, { force: true })
  if (head !== null) await must('Reading the head', git({}, 'read-tree', head))
  return null
}

async function commitTree(git: GitWith, tree: string, parents: readonly string[], message: string) {
  const each = [...new Set(parents)].flatMap((parent) => ['-p', parent])
  return must('Saving the checkpoint', git(identity, 'commit-tree', tree, ...each, '-m', message))
}

/** With its time: git tells by it which files may have changed unseen, in the moment in which it was written. */
function copyIndex(from: string, to: string): void {
  if (!existsSync(from)) return
  const written = Math.floor(statSync(from).mtimeMs / 1000)
  copyFileSync(from, to)
  utimesSync(to, written, written)
}

async function optional(result: ReturnType<GitWith>): Promise<string | null> {
  const { ok, stdout } = await result
  return ok && stdout.trim() !== '' ? stdout.trim() : null
}
