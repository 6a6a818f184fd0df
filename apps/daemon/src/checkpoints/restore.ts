import { must } from '../git/git.ts'
import type { GitWith } from './git-with.ts'
import { parseSideWork, restoreSideWork, type SideWork } from './side-work.ts'
import { identity } from './snapshot.ts'

interface Saved {
  readonly work: string
  readonly index: string
  readonly head: string | null
  readonly branch: string | null
  readonly side: SideWork
}

/**
 * Puts the workspace back as the checkpoint found it: files, index, branch and commits that were never pushed. False
 * when the clone has all of it already, and perhaps more.
 */
export async function restoreSnapshot(git: GitWith, commit: string): Promise<boolean> {
  const saved = await readSaved(git, commit)
  const { head, branch, work, index, side } = saved
  if (await isContained(git, saved)) {
    await restoreSideWork(git, identity, side)
    return side.branches.length + side.stashes.length > 0
  }
  if (head !== null) {
    const place = branch === null ? ['--detach'] : ['-B', branch]
    await must('Going back to the commit', git({}, 'checkout', '-q', '-f', ...place, head))
  }
  await must('Putting the files back', git({}, 'read-tree', '--reset', '-u', work))
  // Files alone were saved: they are compared with the commit of the new clone.
  const from = head === null && (await git({}, 'rev-parse', '-q', '--verify', 'HEAD')).ok ? 'HEAD' : index
  await must('Putting the index back', git({}, 'read-tree', from))
  await git({}, 'update-index', '-q', '--refresh')
  await restoreSideWork(git, identity, side)
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
  return { work, index, head: field('Head'), branch: field('Branch'), side: parseSideWork(text) }
}

/** Everything was committed, and what the branch is at now was built on it. */
async function isContained(git: GitWith, { head, work, index, side }: Saved): Promise<boolean> {
  if (head === null || work !== index) return false
  const { stdout } = await git({}, 'symbolic-ref', '-q', 'HEAD')
  if (side.branches.some(({ ref }) => ref === stdout.trim())) return false
  const tree = await must('Reading the checkpoint', git({}, 'rev-parse', `${head}^{tree}`))
  return tree === work && (await git({}, 'merge-base', '--is-ancestor', head, 'HEAD')).ok
}
