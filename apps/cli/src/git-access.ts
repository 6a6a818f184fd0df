import { isLoopback } from '@svc/facts'
import type { Project } from '@svc/sdk'
import type { Connection } from './cli.ts'
import { git, gitMaybe } from './git.ts'

/** The name under which git is given a token: the platform looks at the password alone. */
export const gitUser = 'x-access-token'

/** Asks the environment for the token, so that no command line, URL or file holds it. */
const ofEnvironment = `!f() { test "$1" = get && printf 'username=${gitUser}\\npassword=%s\\n' "$SVC_GIT_TOKEN"; }; f`

/** The way of one git command to a repository. */
export interface GitAccess {
  readonly url: string
  /** Its name among the remotes of a clone. */
  readonly remote: string
  readonly flags: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The way to a repository of the platform with this token, whatever helpers the person has. */
export const managedAccess = (url: string, token: string): GitAccess => ({
  ...{ url, remote: managedRemote },
  flags: ['-c', 'credential.helper=', '-c', `credential.helper=${ofEnvironment}`],
  env: { SVC_GIT_TOKEN: token },
})

export const managedRemote = 'svc'

/** The way to the repository of a project. One on a host of its own is reached as the person reaches that host. */
export async function accessTo(
  { git_origin_url, repo_url }: Pick<Project, 'git_origin_url' | 'repo_url'>,
  { token }: Pick<Connection, 'token'>,
): Promise<GitAccess> {
  return git_origin_url === null
    ? { url: repo_url, remote: 'origin', flags: [], env: {} }
    : managedAccess(git_origin_url, await token())
}

/**
 * Lets plain git in at the repository of a project: it asks this program for the token of the login each time, and no other
 * helper gets to keep it. The platform names that address itself, which may be another one than that of the API. A token of
 * the environment is not there tomorrow: nothing is set up for one.
 */
export async function letGitIn(
  root: string,
  { api_url, host, token_source }: Connection['target'],
  git_origin_url: string | null,
): Promise<void> {
  const [node, program] = process.argv
  if (token_source !== 'config file' || node === undefined || program === undefined) return
  const { origin } = new URL(api_url)
  const at = originOf(git_origin_url ?? api_url, origin)
  if (at === null) return
  const key = `credential.${at}.helper`
  const beside = at === origin ? [] : ['--at', at]
  const words = [node, program, '--host', host, 'git-credential', ...beside]
  const helper = `!${words.map(quoted).join(' ')}`
  const known = await gitMaybe(root, ['config', '--local', '--get-all', key])
  if (known === `\n${helper}`) return
  await git(root, ['config', '--local', '--replace-all', key, ''])
  await git(root, ['config', '--local', '--add', key, helper])
}

/** The origin at which the token may be shown: that of the API, or one on whose way it is not overheard. */
function originOf(url: string, api: string): string | null {
  const { origin, protocol, hostname } = new URL(url)
  const staysHere = isLoopback(hostname) && isLoopback(new URL(api).hostname)
  return origin === api || protocol === 'https:' || staysHere ? origin : null
}

/** A word of a shell. */
const quoted = (word: string): string =>
  /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
