import { git, gitMaybe } from '../../git.ts'
import { managedRemote } from '../../git-access.ts'
import type { WorkTree } from './work-tree.ts'

const pushKey = `remote.${managedRemote}.push`

/** Names the project's repository as the remote `svc`, so that plain git reaches it too. A remote that is there stays. */
export async function nameRemote({ root }: WorkTree, url: string): Promise<void> {
  if ((await gitMaybe(root, ['remote', 'get-url', managedRemote])) === null) {
    await git(root, ['remote', 'add', managedRemote, url])
  }
}

/** Has the checked out branch follow the project's, so that `git pull` needs no names, unless it follows another one. */
export async function followBranch({ root, branch }: WorkTree, target: string): Promise<void> {
  if ((await gitMaybe(root, ['config', '--get', `branch.${branch}.remote`])) !== null) return
  await git(root, ['config', `branch.${branch}.remote`, managedRemote])
  await git(root, ['config', `branch.${branch}.merge`, ref(target)])
}

/** The project's branch that the checked out branch was shipped to before, where its name is another one. */
export async function otherName({ root, branch }: WorkTree): Promise<string | undefined> {
  const refspecs = (await gitMaybe(root, ['config', '--get-all', pushKey])) ?? ''
  const from = `${ref(branch)}:${ref('')}`
  return refspecs
    .split('\n')
    .find((refspec) => refspec.startsWith(from))
    ?.slice(from.length)
}

/** Kept where git keeps such things: `git push svc` does the same from now on. */
export async function rememberOtherName({ root, branch }: WorkTree, target: string): Promise<void> {
  await git(root, ['config', '--add', pushKey, `${ref(branch)}:${ref(target)}`])
}

function ref(branch: string): string {
  return `refs/heads/${branch}`
}
