import { createFileSync } from '@svc/files'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Git, must } from './git.ts'

export interface GitSettingsParts {
  readonly git: Git
  readonly workspace: string
  readonly home: string
  readonly repo_url: string
  /** The shell command that git runs for a credential; the settings name it and never hold a secret. */
  readonly helper: string
  readonly agent_name: string
  /** Through what git reaches which addresses; null where it needs nothing for it. */
  readonly proxied: { readonly url: string; readonly proxy: string } | null
}

/** Ours alone, beside the clone's own configuration and included by it; written anew at every boot. */
const settingsFile = 'svc-agent.config'

/** The settings once more, for a git whose caller overrides them: `GIT_CONFIG_PARAMETERS`, quoted as git does it. */
export function settingsParameter(workspace: string): string {
  const path = join(workspace, '.git', settingsFile)
  return `'include.path=${path.replace(/['!]/g, String.raw`'\$&'`)}'`
}

export async function configure(parts: GitSettingsParts): Promise<void> {
  const { git, repo_url } = parts
  const local = (key: string, value: string): Promise<string> =>
    must('Configuring git', git('config', '--local', '--replace-all', key, value))
  writeSettings(parts)
  const trusted = trust(parts)
  trusted.catch(() => undefined)
  await local('include.path', settingsFile)
  await local('remote.origin.url', repo_url)
  await local('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
  await trusted
}

/** The same in a configuration that git has just made, without a process for each line. */
export function newConfiguration(repo_url: string): string {
  return `[include]
\tpath = ${settingsFile}
[remote "origin"]
\turl = ${quoted(repo_url)}
\tfetch = +refs/heads/*:refs/remotes/origin/*
`
}

/** The settings that send a plain pull and push of the branch to the origin. */
export function tracking(branch: string): string {
  return `[branch ${quoted(branch)}]\n\tremote = origin\n\tmerge = ${quoted(`refs/heads/${branch}`)}\n`
}

/** Has git trust the workspace; without a process of git where the home has no settings of git yet. */
export async function trust({
  git,
  workspace,
  home,
}: Pick<GitSettingsParts, 'git' | 'workspace' | 'home'>): Promise<void> {
  try {
    const settings = `[safe]\n\tdirectory = ${quoted(workspace)}\n`
    if (createFileSync(join(home, '.gitconfig'), settings, { mode: 0o666, flush: false })) return
  } catch {
    // There is no home: git says what is wrong.
  }
  // A git that was killed may have left it; while a sandbox boots no other process runs git.
  rmSync(join(home, '.gitconfig.lock'), { force: true })
  await must(
    'Trusting the workspace',
    git('config', '--global', '--replace-all', 'safe.directory', workspace),
  )
}

export function writeSettings({
  workspace,
  helper,
  agent_name,
  proxied,
}: Pick<GitSettingsParts, 'workspace' | 'helper' | 'agent_name' | 'proxied'>): void {
  writeFileSync(join(workspace, '.git', settingsFile), settings(helper, agent_name) + through(proxied))
}

const quoted = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', ' ')}"`

function through(proxied: GitSettingsParts['proxied']): string {
  return proxied === null ? '' : `[http ${quoted(proxied.url)}]\n\tproxy = ${quoted(proxied.proxy)}\n`
}

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
