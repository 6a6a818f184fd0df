import { platformNamePattern } from '@svc/facts'
import type { AppType } from './states.ts'

/** An entry of `apps` as the manifest's reader gives it. */
export interface AppEntry {
  readonly name: string
  readonly type: AppType
  readonly path: string | null
  readonly root: string | null
  readonly output_dir: string | null
  readonly install_command: string | null
  readonly build_command: string | null
  readonly spa: boolean
  readonly env: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
}

/** The makings of apps that this platform has. */
export interface AppProvider {
  readonly name: string
  /** It runs the commands that build an app, and programs. */
  readonly processes: boolean
  readonly images: boolean
}

export interface ConfigIssue {
  /** As the manifest's issues write it: `apps.site.type`. */
  readonly path: string
  readonly message: string
  readonly severity: 'error' | 'warning'
}

/** An entry with everything that it leaves out, frozen with a release. */
export interface AppConfig {
  readonly type: AppType
  /** Folder from the repository's root, without `.` and `/` at its ends; empty for all of it. */
  readonly folder: string
  readonly spa: boolean
  /** Names of the project’s secrets that it gets. */
  readonly secrets: readonly string[]
  /** And those that it would get if it were merged. */
  readonly withheld_secrets: readonly string[]
}

export interface ResolvedConfig {
  readonly config: AppConfig
  readonly issues: readonly ConfigIssue[]
}

/**
 * The configuration of an entry on this platform, with everything that keeps it from being released. A preview shows what was
 * not reviewed, and gets the secrets of `preview_secrets` alone.
 */
export function resolveConfig(
  entry: AppEntry,
  provider: AppProvider,
  preview_secrets: readonly string[] | null = null,
): ResolvedConfig {
  const named = [...new Set(Object.values(entry.secrets))].sort()
  const given = (name: string) => preview_secrets === null || preview_secrets.includes(name)
  const at = (key: string, message: string, severity: ConfigIssue['severity'] = 'error'): ConfigIssue => ({
    path: `apps.${entry.name}.${key}`,
    message,
    severity,
  })
  return {
    config: {
      type: entry.type,
      folder: folderOf(entry),
      spa: entry.spa,
      secrets: named.filter(given),
      withheld_secrets: named.filter((name) => !given(name)),
    },
    issues: [...typeIssues(entry, provider, at), ...keyIssues(entry, provider, at)],
  }
}

type IssueAt = (key: string, message: string, severity?: ConfigIssue['severity']) => ConfigIssue

function typeIssues({ type }: AppEntry, { name, processes, images }: AppProvider, at: IssueAt) {
  const runs = type === 'static' || (type === 'bundle' ? processes : images)
  if (runs) return []
  const wanted = type === 'bundle' ? 'programs' : 'images'
  return [
    at(
      'type',
      `${type} needs a provider that runs ${wanted}, and this platform’s (${name}) does not; use static`,
    ),
  ]
}

function keyIssues(entry: AppEntry, { name, processes }: AppProvider, at: IssueAt): ConfigIssue[] {
  const { type, path, output_dir, env, secrets } = entry
  const commands = (['install_command', 'build_command'] as const).filter((key) => entry[key] !== null)
  return [
    ...(path !== null && output_dir !== null ? [at('path', 'stands beside `output_dir`; keep one')] : []),
    ...(processes
      ? []
      : commands.map((key) =>
          at(
            key,
            `needs a provider that runs programs, and this platform’s (${name}) does not; commit what it makes, and name that folder as \`path\``,
          ),
        )),
    ...Object.keys(env)
      .filter((key) => platformNamePattern.test(key))
      .map((key) => at(`env.${key}`, 'names of this prefix are the platform’s own; choose another')),
    ...(type === 'static' && Object.keys(secrets).length > 0
      ? [at('secrets', 'nothing reads the secrets of a static app', 'warning')]
      : []),
  ]
}

function folderOf({ path, root, output_dir, build_command }: AppEntry): string {
  if (path !== null) return plain(path)
  if (output_dir !== null) return plain(`${root ?? ''}/${output_dir}`)
  return plain(build_command === null ? (root ?? '') : `${root ?? ''}/dist`)
}

function plain(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}
