import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { step } from '../shared/steps.ts'
import { checkOut } from './check-out.ts'
import { type Git, GitError, must } from './git.ts'

export interface CloneParts {
  readonly git: Git
  readonly workspace: string
  readonly home: string
  readonly repo_url: string
  readonly branch: string
  readonly base_ref: string
  readonly default_branch: string
  /** What git runs for a credential, as a shell command. */
  readonly helper: string
  readonly agent_name: string
  /** Git that brings the credential along, which spares the first request its refusal; null leaves it to the helper. */
  readonly authorized: () => Promise<Git | null>
  /** Nothing can be owed to a sandbox before this one, so that recent history is enough to begin with. */
  readonly is_new: boolean
  /** Called when the repository's settings are in the workspace of a new session, while the rest is still written. */
  readonly onSettings: () => void
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

/** Most repositories are whole with this many commits; the others get the rest while the agent starts. */
const firstCommits = 50

/** Into a folder that may exist and hold other things; may be repeated after a crash at any line. */
export async function cloneRepository(parts: CloneParts): Promise<void> {
  const { git, workspace, branch, is_new } = parts
  mkdirSync(workspace, { recursive: true })
  step('clone')
  const authorized = parts.authorized().catch(() => null)
  const isFirstTry = !existsSync(join(workspace, '.git'))
  const trusted = trust(parts)
  trusted.catch(() => undefined)
  await must('Preparing the workspace', git('init', '-q', '-b', branch, '.'))
  removeStaleLocks(workspace)
  if (isFirstTry) appendFileSync(join(workspace, '.git', 'config'), configuration(parts))
  else await configure(parts)
  await trusted
  step('initialised')
  const authorizedGit = await authorized
  step('credential')
  const refs = await fetchFirst(parts, authorizedGit, is_new ? [`--depth=${firstCommits}`] : [])
  step('fetched')
  const start = [branch, parts.base_ref, parts.default_branch].find((name) => refs.has(name))
  if (start === undefined) {
    // An empty repository: the agent's first commit makes the branch.
    await must('Naming the branch', git('symbolic-ref', 'HEAD', `refs/heads/${branch}`))
  } else {
    const commit = `refs/remotes/origin/${start}`
    // What is to be restored may change the settings as well.
    await checkOut(git, commit, is_new ? parts.onSettings : () => undefined)
    await must('Making the branch', git('update-ref', `refs/heads/${branch}`, commit))
  }
  const upstream = start === branch ? tracking(branch) : ''
  appendFileSync(join(workspace, '.git', 'config'), `${upstream}[svc]\n\tcloned = true\n`)
}

/** Where a plain pull and push of the branch go. */
function tracking(branch: string): string {
  return `[branch ${quoted(branch)}]\n\tremote = origin\n\tmerge = ${quoted(`refs/heads/${branch}`)}\n`
}

/** With the credential at hand first; whatever is wrong with that, git finds its own way. */
async function fetchFirst(
  parts: CloneParts,
  git: Git | null,
  how: readonly string[],
): Promise<ReadonlySet<string>> {
  // There is nothing to tidy in a clone that is being made.
  const untidied =
    (git: Git): Git =>
    (...args) =>
      git('-c', 'maintenance.auto=false', ...args)
  const refs = git === null ? null : await fetchRefs({ ...parts, git: untidied(git) }, how).catch(() => null)
  return refs ?? fetchRefs({ ...parts, git: untidied(parts.git) }, how)
}

/** Whether history is still missing, as after a first fetch of a long one. */
export function isShallow(workspace: string): boolean {
  return existsSync(join(workspace, '.git', 'shallow'))
}

/** Brings the history that the first fetch left out. */
export async function deepen(parts: CloneParts): Promise<void> {
  const git = (await parts.authorized().catch(() => null)) ?? parts.git
  await fetchRefs({ ...parts, git }, ['--unshallow'])
}

/** Ours alone, beside the clone's own configuration and included by it; written anew at every boot. */
const settingsFile = 'svc-agent.config'

/** The settings name a command and never hold a secret. */
export async function configure(parts: CloneParts): Promise<void> {
  const { git, repo_url } = parts
  const local = (key: string, value: string): Promise<string> =>
    must('Configuring git', git('config', '--local', '--replace-all', key, value))
  writeSettings(parts)
  const trusted = trust(parts)
  await local('include.path', settingsFile)
  await local('remote.origin.url', repo_url)
  await local('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
  await trusted
}

/** The same in a configuration that git has just made, without a process for each line. */
function configuration(parts: CloneParts): string {
  writeSettings(parts)
  return `[include]
\tpath = ${settingsFile}
[remote "origin"]
\turl = ${quoted(parts.repo_url)}
\tfetch = +refs/heads/*:refs/remotes/origin/*
`
}

/** In a home that has no settings of git yet, without a process of git. */
async function trust({
  git,
  workspace,
  home,
}: Pick<CloneParts, 'git' | 'workspace' | 'home'>): Promise<void> {
  try {
    writeFileSync(join(home, '.gitconfig'), `[safe]\n\tdirectory = ${quoted(workspace)}\n`, { flag: 'wx' })
    return
  } catch {
    // There are some, or no home: git knows what to do, or says what is wrong.
  }
  await must(
    'Trusting the workspace',
    git('config', '--global', '--replace-all', 'safe.directory', workspace),
  )
}

function writeSettings({ workspace, helper, agent_name }: CloneParts): void {
  writeFileSync(join(workspace, '.git', settingsFile), settings(helper, agent_name))
}

const quoted = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', ' ')}"`

/** The empty helper drops those of the machine, which would store what is not to be stored. */
function settings(helper: string, agent_name: string): string {
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
export async function fetchRefs(
  parts: Pick<CloneParts, 'git' | 'branch' | 'base_ref' | 'default_branch'>,
  how: readonly string[] = [],
): Promise<ReadonlySet<string>> {
  const { git, branch, base_ref, default_branch } = parts
  const wanted = [...new Set([branch, base_ref, default_branch])]
  const fetch = (names: readonly string[]) =>
    git(
      ...networkGuard,
      'fetch',
      '-q',
      ...how,
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
