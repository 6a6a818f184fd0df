import type {
  AppConfig,
  AppEntry,
  AppPlatform,
  AppResources,
  BuildConfig,
  ConfigIssue,
  ImageConfig,
  RunConfig,
} from './app-config.ts'
import { type EntryFacts, issuesOf } from './app-issues.ts'

export interface ResolvedConfig {
  readonly config: AppConfig
  readonly issues: readonly ConfigIssue[]
}

/** The values of what an entry leaves out. */
export const appDefaults = { cpu: 1, memory_gb: 2, disk_gb: 10, idle_timeout_seconds: 300 }

export interface ResolveInput extends Pick<EntryFacts, 'known_secrets' | 'has_start'> {
  /** Of a preview, which shows what was not reviewed and gets these alone; null for production. */
  readonly preview_secrets: readonly string[] | null
}

/** The configuration of an entry on this platform, with everything that keeps it from being released. */
export function resolveConfig(
  entry: AppEntry,
  platform: Pick<AppPlatform, 'provider' | 'max'>,
  { known_secrets, has_start, preview_secrets }: ResolveInput,
): ResolvedConfig {
  const named = [...new Set(Object.values(entry.secrets))].sort()
  const given = (name: string) => preview_secrets === null || preview_secrets.includes(name)
  const build = buildOf(entry)
  const run = runOf(entry, given)
  const image = imageOf(entry)
  return {
    config: {
      type: entry.type,
      folder: folderOf(entry),
      spa: entry.spa,
      secrets: named.filter(given),
      withheld_secrets: named.filter((name) => !given(name)),
      ...(build && { build }),
      ...(image && { image }),
      ...(run && { run }),
      ...((build ?? run) && { env: entry.env, resources: resourcesOf(entry, platform.max) }),
    },
    issues: issuesOf(entry, platform, { known_secrets, has_start, given }),
  }
}

/** The folder whose content decides whether a release is of the same things; null where none does. */
export function sourceFolder(entry: AppEntry): string | null {
  if (entry.type === 'oci_image') return null
  if (entry.type === 'dockerfile') return contextOf(entry)
  return buildOf(entry) === null || entry.path !== null ? folderOf(entry) : plain(entry.root ?? '')
}

function buildOf({ type, path, root, install_command, build_command }: AppEntry): BuildConfig | null {
  if (type === 'dockerfile' || type === 'oci_image' || path !== null) return null
  if (install_command === null && build_command === null) return null
  return { root: plain(root ?? ''), install_command, build_command }
}

function imageOf(entry: AppEntry): ImageConfig | null {
  if (entry.type === 'oci_image') return { from: 'image', image: entry.image ?? '' }
  if (entry.type !== 'dockerfile') return null
  return {
    from: 'dockerfile',
    dockerfile: plain(entry.dockerfile ?? 'Dockerfile'),
    context: contextOf(entry),
  }
}

function contextOf({ root, dockerfile }: AppEntry): string {
  if (root !== null) return plain(root)
  const path = plain(dockerfile ?? 'Dockerfile')
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

function runOf(entry: AppEntry, given: (name: string) => boolean): RunConfig | null {
  if (entry.type === 'static') return null
  return {
    command: entry.command ?? ['npm', 'start'],
    port: entry.port,
    readiness_path: entry.readiness_path,
    idle_timeout_seconds: entry.idle_timeout_seconds ?? appDefaults.idle_timeout_seconds,
    secrets: Object.fromEntries(Object.entries(entry.secrets).filter(([, name]) => given(name))),
  }
}

/** A default is never more than the operator gives; what is asked for is judged as it is. */
function resourcesOf({ resources }: AppEntry, max: AppPlatform['max']): AppResources {
  const of = (name: keyof AppResources) =>
    resources[name] ?? Math.min(appDefaults[name], max[name] ?? appDefaults[name])
  return { cpu: of('cpu'), memory_gb: of('memory_gb'), disk_gb: of('disk_gb') }
}

/** The folder of which a release's files are. */
export const shippedFolder = (entry: AppEntry): string => folderOf(entry)

function folderOf({ type, path, root, output_dir, build_command }: AppEntry): string {
  if (path !== null) return plain(path)
  if (output_dir !== null) return plain(`${root ?? ''}/${output_dir}`)
  return plain(build_command === null || type !== 'static' ? (root ?? '') : `${root ?? ''}/dist`)
}

function plain(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}
