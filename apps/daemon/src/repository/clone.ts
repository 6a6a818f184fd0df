import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Git, GitError, must } from './git.ts'

export interface CloneParts {
  readonly git: Git
  readonly workspace: string
  readonly repo_url: string
  readonly branch: string
  readonly base_ref: string
  readonly default_branch: string
  /** What git runs for a credential, as a shell command. */
  readonly helper: string
  readonly agent_name: string
}

/** Written last, so that a clone which was cut short is done again rather than taken for somebody's work. */
const doneKey = 'svc.cloned'
const networkGuard = ['-c', 'http.lowSpeedLimit=1000', '-c', 'http.lowSpeedTime=60']

export async function isCloned({ git, workspace }: Pick<CloneParts, 'git' | 'workspace'>): Promise<boolean> {
  if (!existsSync(join(workspace, '.git'))) return false
  const [marked, head] = await Promise.all([
    git('config', '--local', '--get', doneKey),
    git('rev-parse', '--verify', '-q', 'HEAD'),
  ])
  return marked.ok || head.ok
}

/** Into a folder that may exist and hold other things; may be repeated after a crash at any line. */
export async function cloneRepository(parts: CloneParts): Promise<void> {
  const { git, workspace, branch } = parts
  mkdirSync(workspace, { recursive: true })
  await must('Preparing the workspace', git('init', '-q', '-b', branch, '.'))
  removeStaleLocks(workspace)
  await configure(parts)
  const refs = await fetchRefs(parts)
  const start = [branch, parts.base_ref, parts.default_branch].find((name) => refs.has(name))
  if (start === undefined) {
    // An empty repository: the agent's first commit makes the branch.
    await must('Naming the branch', git('symbolic-ref', 'HEAD', `refs/heads/${branch}`))
  } else {
    const tracked = start === branch ? ['--track'] : ['--no-track']
    await must(
      'Checking out the branch',
      git('checkout', '-q', '-B', branch, ...tracked, `refs/remotes/origin/${start}`),
    )
  }
  await must('Finishing the clone', git('config', '--local', doneKey, 'true'))
}

/** Ours alone, beside the clone's own configuration and included by it; written anew at every boot. */
const settingsFile = 'svc-agent.config'

/** The settings name a command and never hold a secret. */
export async function configure(parts: CloneParts): Promise<void> {
  const { git, workspace, repo_url, helper, agent_name } = parts
  const local = (key: string, value: string): Promise<string> =>
    must('Configuring git', git('config', '--local', '--replace-all', key, value))
  writeFileSync(join(workspace, '.git', settingsFile), settings(helper, agent_name))
  const trusted = must(
    'Trusting the workspace',
    git('config', '--global', '--replace-all', 'safe.directory', workspace),
  )
  await local('include.path', settingsFile)
  await local('remote.origin.url', repo_url)
  await local('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
  await trusted
}

/** The empty helper drops those of the machine, which would store what is not to be stored. */
function settings(helper: string, agent_name: string): string {
  const quoted = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', ' ')}"`
  return `[user]
\tname = ${quoted(`svc ${agent_name}`)}
\temail = ${quoted(`${agent_name}@svc.invalid`)}
[push]
\tdefault = current
\tautoSetupRemote = true
[credential]
\tuseHttpPath = true
\thelper =
\thelper = ${quoted(helper)}
`
}

/** Only what the session needs: an origin may hold thousands of other sessions' branches. */
export async function fetchRefs(parts: CloneParts): Promise<ReadonlySet<string>> {
  const { git, branch, base_ref, default_branch } = parts
  const wanted = [...new Set([branch, base_ref, default_branch])]
  const fetch = (names: readonly string[]) =>
    git(
      ...networkGuard,
      'fetch',
      '-q',
      'origin',
      ...names.map((name) => `+refs/heads/${name}:refs/remotes/origin/${name}`),
    )
  const all = await fetch(wanted)
  if (all.ok) return new Set(wanted)
  if (!/couldn't find remote ref/i.test(all.stderr)) throw new GitError('Fetching the repository', all.stderr)

  const listed = await must(
    'Listing branches',
    git(...networkGuard, 'ls-remote', '--heads', 'origin', ...wanted.map((name) => `refs/heads/${name}`)),
  )
  const there = wanted.filter((name) =>
    listed.split('\n').some((line) => line.endsWith(`\trefs/heads/${name}`)),
  )
  if (there.length > 0) await must('Fetching the repository', fetch(there))
  return new Set(there)
}

/** Nobody else runs git in the sandbox while it boots: a lock is what a killed process left. */
export function removeStaleLocks(workspace: string): void {
  for (const name of ['index.lock', 'config.lock', 'HEAD.lock', 'shallow.lock']) {
    rmSync(join(workspace, '.git', name), { force: true })
  }
}
