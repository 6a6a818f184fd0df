import { appendFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BeginParts, beginClone, remoteRef, startOf } from './begin-clone.ts'
import { checkOut } from './check-out.ts'
import { fetchRefs } from './fetch-refs.ts'
import { must } from '../git/git.ts'
import { configure, type GitSettingsParts, tracking, writeSettings } from '../git/git-settings.ts'

export interface CloneParts extends Omit<BeginParts, 'prepare'>, GitSettingsParts {
  /** The fetch that began while the daemon itself was loaded; null where none was asked for, or none was possible. */
  readonly begun: Promise<StartedClone | null>
  /** True when a runtime waits for the repository's settings already. */
  readonly is_awaited: boolean
  /** Called when the repository's settings are in the workspace of a new session, while the rest is still written. */
  readonly onSettings: () => void
}

/** The branches that came, and whether the files of the one to start from are all there. */
export interface StartedClone {
  readonly refs: ReadonlySet<string>
  readonly written: Promise<boolean>
}

/** Written last, so that a clone which was cut short is done again rather than taken for the agent's work. */
const doneKey = 'svc.cloned'

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
  const { git, workspace, branch, is_new } = parts
  const begun = await parts.begun
  // This was fetched before the settings were known.
  if (begun !== null) writeSettings(parts)
  const refs = begun?.refs ?? (await beginClone({ ...parts, prepare: prepareAs(parts) }))
  const start = startOf(refs, parts)
  if (start === undefined) {
    // An empty repository: the agent's first commit makes the branch.
    await must('Naming the branch', git('symbolic-ref', 'HEAD', `refs/heads/${branch}`))
  } else {
    const commit = remoteRef(start)
    // Work that is to be restored may change the settings as well.
    if ((await begun?.written) !== true)
      await checkOut({ git, workspace, commit, early: is_new ? parts : null })
    // Not before the files are there: a clone that has a branch and lacks them would look like the agent's work.
    await must('Making the branch', git('update-ref', `refs/heads/${branch}`, commit))
  }
  const upstream = start === branch ? tracking(branch) : ''
  appendFileSync(join(workspace, '.git', 'config'), `${upstream}[svc]\n\tcloned = true\n`)
}

function prepareAs(parts: CloneParts): BeginParts['prepare'] {
  return async (isPrepared) => {
    removeStaleLocks(parts.workspace)
    if (isPrepared) await configure(parts)
    else writeSettings(parts)
  }
}

/** True while history is still missing, as after a first fetch of a long one. */
export function isShallow(workspace: string): boolean {
  return existsSync(join(workspace, '.git', 'shallow'))
}

/** Brings the history that the first fetch left out. */
export async function deepen(parts: CloneParts): Promise<void> {
  const git = (await parts.authorized().catch(() => null)) ?? parts.git
  await fetchRefs({ ...parts, git }, ['--unshallow'])
}

/** No other process runs git in the sandbox while it boots: a killed process left the lock. */
export function removeStaleLocks(workspace: string): void {
  const folder = join(workspace, '.git')
  for (const name of [...readdirSync(folder), ...refsIn(folder)])
    if (name.endsWith('.lock')) rmSync(join(folder, name), { force: true })
}

function refsIn(folder: string): string[] {
  if (!existsSync(join(folder, 'refs'))) return []
  const names = readdirSync(join(folder, 'refs'), { recursive: true, encoding: 'utf8' })
  return names.map((name) => join('refs', name))
}
