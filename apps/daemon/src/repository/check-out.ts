import { manifestPaths } from '@svc/manifest/runtime'
import { runtimeSettings } from '../runtimes/manifest-settings.ts'
import { type Git, must } from '../git/git.ts'
import { isQuick, write } from './quick-check-out.ts'

/** Paths at the top of a repository that runtimes read before they are given a prompt. */
const settingsPaths: readonly string[] = [
  ...manifestPaths,
  ...['.svc', 'AGENTS.md', 'CLAUDE.md', 'CONTEXT.md'],
  ...['opencode.json', 'opencode.jsonc', '.opencode', '.agents', '.claude', '.pi'],
]
/** More are no settings, and would be as slow as the rest. */
const maxSettings = 200
const link = '120000 '

/**
 * Writes a commit's files into a workspace. Where a runtime waits for the settings, or the files take their time, the
 * settings come first, so that a runtime can read them while the rest is written. Settings behind a link are no sooner
 * there than the files that it leads to.
 */
export async function checkOut({ git, workspace, commit, early }: CheckOut): Promise<void> {
  const asked = early?.is_awaited === true ? settingsOf(git, commit) : null
  const [awaited] = await Promise.all([asked, must('Reading the commit', git('read-tree', commit))])
  if (early !== null) {
    const settings = asked === null && !isQuick(workspace) ? await settingsOf(git, commit) : awaited
    if (settings !== null) {
      if (settings.length > 0) await write(git, '--', ...settings)
      early.onSettings()
    }
  }
  await write(git, '-a')
}

export interface CheckOut {
  readonly git: Git
  readonly workspace: string
  readonly commit: string
  /** Null where the settings may still change when all files are there. */
  readonly early: {
    readonly onSettings: () => void
    /** A runtime is ready for them already, and not only when the files are written. */
    readonly is_awaited: boolean
  } | null
}

/** The paths of the settings in a commit; null where they are not to be had before the rest. */
async function settingsOf(git: Git, commit: string): Promise<readonly string[] | null> {
  const [listed, { config_dir }] = await Promise.all([
    must('Listing the settings', git('ls-tree', '-r', '-z', commit, '--', ...settingsPaths)),
    runtimeSettings(async (path) => {
      const { ok, stdout } = await git('show', `${commit}:${path}`)
      return ok ? stdout : null
    }),
  ])
  const [folder = ''] = config_dir.split('/')
  const entries = listed.split('\0').filter((line) => line !== '')
  const plain = entries.every((line) => !line.startsWith(link))
  if (!settingsPaths.includes(folder) || !plain || entries.length > maxSettings) return null
  return entries.map((line) => line.slice(line.indexOf('\t') + 1))
}
