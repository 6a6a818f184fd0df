import { platformNamePattern } from '@svc/facts'
import type { AppEntry, AppPlatform, AppProvider, AppResources, ConfigIssue } from './app-config.ts'

/** Facts beside the entry itself that decide whether it can be released. */
export interface EntryFacts {
  /** Names of the project's secrets; null where they are of no matter. */
  readonly known_secrets: ReadonlySet<string> | null
  /** Whether the folder that is shipped has an `npm start`; null while that is not known. */
  readonly has_start: boolean | null
  /** Names of the secrets that it is given. */
  readonly given: (name: string) => boolean
}

/** Everything that keeps an entry from being released on this platform. */
export function issuesOf(
  entry: AppEntry,
  { provider, dockerfiles = provider.images, max }: Pick<AppPlatform, 'provider' | 'dockerfiles' | 'max'>,
  facts: EntryFacts,
): readonly ConfigIssue[] {
  const at: IssueAt = (key, message, severity = 'error') => ({
    path: `apps.${entry.name}.${key}`,
    message,
    severity,
  })
  return [
    ...typeIssues(entry, provider, dockerfiles, at),
    ...folderIssues(entry, provider, at),
    ...programIssues(entry, facts, at),
    ...resourceIssues(entry, max, at),
    ...variableIssues(entry, facts, at),
  ]
}

type IssueAt = (key: string, message: string, severity?: ConfigIssue['severity']) => ConfigIssue

function typeIssues(
  { type }: AppEntry,
  { name, processes, images }: AppProvider,
  dockerfiles: boolean,
  at: IssueAt,
) {
  const able = { static: true, bundle: processes, dockerfile: images && dockerfiles, oci_image: images }
  if (able[type]) return []
  if (images)
    return [
      at(
        'type',
        `${type} needs an engine that builds and a registry, and this platform’s provider ${name} has none. Use an oci_image, or ask the operator for SVC_APPS_REGISTRY and SVC_APPS_ENGINE`,
      ),
    ]
  const advice = processes ? 'Use a bundle, or ask' : 'Use static, or ask'
  const wanted = type === 'bundle' ? 'a provider that runs programs' : 'docker or kubernetes'
  const setting = `SVC_SANDBOX_PROVIDER=${type === 'bundle' ? 'process' : 'docker'}`
  return [
    at(
      'type',
      `${type} needs ${wanted}; this platform’s provider is ${name}. ${advice} the operator for ${setting}`,
    ),
  ]
}

function folderIssues(entry: AppEntry, { name, processes }: AppProvider, at: IssueAt): ConfigIssue[] {
  const commands = (['install_command', 'build_command'] as const).filter((key) => entry[key] !== null)
  const image = entry.type === 'dockerfile' || entry.type === 'oci_image'
  return [
    ...(entry.path !== null && entry.output_dir !== null
      ? [at('path', 'stands beside `output_dir`; keep one')]
      : []),
    ...(processes
      ? []
      : commands.map((key) =>
          at(
            key,
            `needs a provider that runs programs, and this platform’s (${name}) does not; commit what it makes, and name that folder as \`path\``,
          ),
        )),
    ...(image ? commands.map((key) => at(key, `is of no use to ${entry.type}; put it into the image`)) : []),
  ]
}

function programIssues(
  { type, command, port, env }: AppEntry,
  { has_start }: EntryFacts,
  at: IssueAt,
): ConfigIssue[] {
  return [
    ...(type === 'bundle' && command === null && has_start === false
      ? [at('command', 'is needed: package.json of what is shipped has no script `start` for npm start')]
      : []),
    ...(env['PORT'] !== undefined && type !== 'static' && env['PORT'] !== String(port)
      ? [at('env.PORT', 'is not `port`; leave it out, and read PORT, which is always set')]
      : []),
  ]
}

function resourceIssues({ resources }: AppEntry, max: AppPlatform['max'], at: IssueAt): ConfigIssue[] {
  const names: readonly (keyof AppResources)[] = ['cpu', 'memory_gb', 'disk_gb']
  return names.flatMap((name) => {
    const [asked, bound] = [resources[name], max[name]]
    if (asked === null || bound === null || asked <= bound) return []
    return [
      at(
        `resources.${name}`,
        `asks for ${asked}, and this platform gives at most ${bound} (SVC_APPS_MAX_${name.toUpperCase()})`,
      ),
    ]
  })
}

function variableIssues(
  { type, env, secrets }: AppEntry,
  { known_secrets, given }: EntryFacts,
  at: IssueAt,
): ConfigIssue[] {
  const own = (key: 'env' | 'secrets', names: readonly string[]) =>
    names
      .filter((name) => platformNamePattern.test(name))
      .map((name) => at(`${key}.${name}`, 'names of this prefix are the platform’s own; choose another'))
  const reserved = own('env', Object.keys(env))
  if (type === 'static')
    return Object.keys(secrets).length === 0
      ? reserved
      : [...reserved, at('secrets', 'nothing reads the secrets of a static app', 'warning')]
  const missing = Object.entries(secrets)
    .filter(([, name]) => given(name) && known_secrets !== null && !known_secrets.has(name))
    .map(([variable, name]) =>
      at(`secrets.${variable}`, `the project has no secret ${name}; give it: svc secrets set ${name}`),
    )
  return [...reserved, ...own('secrets', Object.keys(secrets)), ...missing]
}
