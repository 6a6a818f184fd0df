import { OperationError } from '../../failures.ts'
import { gitMaybe, gitText } from '../../git.ts'

export interface WorkTree {
  readonly root: string
  readonly branch: string
  readonly commit: string
  /** Files that differ from the commit; they stay here. */
  readonly uncommitted: number
}

/** The repository around a folder, with a branch and a commit to ship. */
export async function openWorkTree(cwd: string): Promise<WorkTree> {
  const root = await gitMaybe(cwd, ['rev-parse', '--show-toplevel'])
  if (root === null) {
    throw new OperationError('this folder is in no git repository', 'git init, git add and git commit first')
  }
  const branch = await gitMaybe(root, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  if (branch === null) {
    throw new OperationError('no branch is checked out', 'git switch <branch>, or git switch -c <new-branch>')
  }
  const commit = await gitMaybe(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  if (commit === null) {
    throw new OperationError(`the branch ${branch} has no commit yet`, 'git add and git commit first')
  }
  const changes = await gitText(root, [
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--',
    '.',
    ':(exclude,top).svc/link.json',
  ])
  return { root, branch, commit, uncommitted: changes.split('\0').filter((entry) => entry !== '').length }
}
