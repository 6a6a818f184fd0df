import { must } from '../repository/git.ts'
import type { GitWith } from './git-with.ts'

interface Saved {
  readonly work: string
  readonly index: string
  readonly head: string | null
  readonly branch: string | null
}

/**
 * Puts the workspace back as the checkpoint found it: files, index, branch and commits that were never pushed. False
 * when the clone has all of it already, and perhaps more.
 */
export async function restoreSnapshot(git: GitWith, commit: string): Promise<boolean> {
  const saved = await readSaved(git, commit)
  if (await isContained(git, saved)) return false
  const { head, branch, work, index } = saved
  if (head !== null) {
    const place = branch === null ? ['--detach'] : ['-B', branch]
    await must('Going back to the commit', git({}, 'checkout', '-q', '-f', ...place, head))
  }
  await must('Putting the files back', git({}, 'read-tree', '--reset', '-u', work))
  await must('Putting the index back', git({}, 'read-tree', index))
  await git({}, 'update-index', '-q', '--refresh')
  return true
}

async function readSaved(git: GitWith, commit: string): Promise<Saved> {
  const text = await must('Reading the checkpoint', git({}, 'show', '-s', '--format=%B', commit))
  const field = (name: string): string | null => {
    const value = new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1]
    return value === undefined || value === 'none' ? null : value
  }
  const treeOf = (name: string) => must('Reading the checkpoint', git({}, 'rev-parse', `${name}^{tree}`))
  const work = await treeOf(commit)
  const staged = field('Index')
  const index = staged === null ? work : await treeOf(staged)
  return { work, index, head: field('Head'), branch: field('Branch') }
}

/** Everything was committed, and what the branch is at now was built on it. */
async function isContained(git: GitWith, { head, work, index }: Saved): Promise<boolean> {
  if (head === null || work !== index) return false
  const tree = await must('Reading the checkpoint', git({}, 'rev-parse', `${head}^{tree}`))
  return tree === work && (await git({}, 'merge-base', '--is-ancestor', head, 'HEAD')).ok
}
