import { OperationError } from '../../failures.ts'
import { git } from '../../git.ts'
import { type GitAccess, managedRemote } from '../../git-access.ts'
import type { WorkTree } from './work-tree.ts'

export interface PushTarget {
  readonly access: GitAccess
  readonly branch: string
  readonly show_progress: boolean
}

export type Pushed =
  | { readonly kind: 'up_to_date' }
  /** `old..new`, or the commit where the branch is new */
  | { readonly kind: 'pushed'; readonly summary: string }

/** Pushes the checked out commit to a branch of the project. Nothing is ever forced. */
export async function push(tree: WorkTree, target: PushTarget): Promise<Pushed> {
  const { code, stdout, stderr } = await git(
    tree.root,
    [
      ...target.access.flags,
      'push',
      '--porcelain',
      target.show_progress ? '--progress' : '--no-progress',
      '--',
      target.access.url,
      `${tree.commit}:refs/heads/${target.branch}`,
    ],
    { env: target.access.env, show_progress: target.show_progress },
  )
  const line = stdout.split('\n').find((one) => /^[ +*=!-]\t/.test(one))
  const [flag, , summary = ''] = line?.split('\t') ?? []
  if (code === 0) {
    if (flag === '=') return { kind: 'up_to_date' }
    // Of a branch that was not there git says only that it is new.
    return { kind: 'pushed', summary: flag === '*' ? tree.commit.slice(0, 9) : summary }
  }
  const reason = summary || logTail(stderr)
  if (/fetch first|non-fast-forward/.test(reason)) throw await behind(tree, target)
  throw refusal(target.branch, [reason, ...remoteWords(stderr)].join('\n  '), code)
}

/** The missing commits are brought here, so that the person can go on. */
async function behind({ root }: WorkTree, { access, branch }: PushTarget): Promise<OperationError> {
  const tip = `${managedRemote}/${branch}`
  const refspec = `+refs/heads/${branch}:refs/remotes/${tip}`
  const args = [...access.flags, 'fetch', '--quiet', '--no-tags', '--', access.url, refspec]
  const { code } = await git(root, args, { env: access.env })
  return new OperationError(
    `${branch} has commits that are not here`,
    code === 0 ? `git rebase ${tip}, then ship again` : `git pull --rebase svc ${branch}, then ship again`,
  )
}

function refusal(branch: string, reason: string, code: number | null): OperationError {
  if (/remote rejected/.test(reason)) {
    return new OperationError(
      `the platform refused the push to ${branch}: ${reason}`,
      'ship another branch with --branch <name> and open a change request',
    )
  }
  return new OperationError(`git push failed: ${reason || `exit code ${code}`}`)
}

/** The platform's own messages about the push. */
function remoteWords(stderr: string): string[] {
  return stderr.split('\n').flatMap((line) => /^remote: (.*\S)\s*$/.exec(line)?.[1] ?? [])
}

function logTail(stderr: string): string {
  return stderr.trim().split('\n').slice(-3).join(' ')
}
