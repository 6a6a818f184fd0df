import { OperationError } from '../../failures.ts'
import { git } from '../../git.ts'
import type { WorkTree } from './work-tree.ts'

export interface PushTarget {
  readonly url: string
  readonly token: string
  readonly branch: string
  readonly show_progress: boolean
}

export type Pushed =
  | { readonly kind: 'up_to_date' }
  /** `old..new`, or `new branch` words of git */
  | { readonly kind: 'pushed'; readonly summary: string }

/** Asks the environment for the token, so that no command line, URL or file holds it. */
const credentialHelper =
  '!f() { test "$1" = get && printf \'username=x-access-token\\npassword=%s\\n\' "$SVC_SHIP_TOKEN"; }; f'
const withToken = ['-c', 'credential.helper=', '-c', `credential.helper=${credentialHelper}`]

/** Pushes the checked out commit to a branch of the project. Nothing is ever forced. */
export async function push(tree: WorkTree, target: PushTarget): Promise<Pushed> {
  const { code, stdout, stderr } = await git(
    tree.root,
    [
      ...withToken,
      'push',
      '--porcelain',
      target.show_progress ? '--progress' : '--no-progress',
      target.url,
      `${tree.commit}:refs/heads/${target.branch}`,
    ],
    { env: { SVC_SHIP_TOKEN: target.token }, show_progress: target.show_progress },
  )
  const line = stdout.split('\n').find((one) => /^[ +*=!-]\t/.test(one))
  const [flag, , summary = ''] = line?.split('\t') ?? []
  if (code === 0) return flag === '=' ? { kind: 'up_to_date' } : { kind: 'pushed', summary }
  const reason = summary || logTail(stderr)
  if (/fetch first|non-fast-forward/.test(reason)) throw await behind(tree, target)
  throw refusal(target.branch, [reason, ...remoteWords(stderr)].join('\n  '), code)
}

/** Plain git has no token to fetch with: the missing commits are brought here, so that the person can go on. */
async function behind({ root }: WorkTree, { url, token, branch }: PushTarget): Promise<OperationError> {
  const tip = `svc/${branch}`
  const refspec = `+refs/heads/${branch}:refs/remotes/${tip}`
  const { code } = await git(root, [...withToken, 'fetch', '--quiet', '--no-tags', url, refspec], {
    env: { SVC_SHIP_TOKEN: token },
  })
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
