import { z } from 'zod'
import { type FrozenHarness, HarnessSettings } from './frozen.ts'
import { knownHarness } from './known/known.ts'
import { vendorVariables } from './vendors.ts'
import { askingHabits, harnessAuths } from './words.ts'

/** The variable that names a session's harness to its sandbox. */
export const harnessVariable = 'SVC_HARNESS'

const names = z.array(z.string())

/** A session's harness as its sandbox starts it, in `SVC_HARNESS`. It holds no secret. */
export const HarnessLaunch = z.object({
  harness: z.string(),
  version: z.string().nullable(),
  auth: z.enum(harnessAuths),
  command: z.array(z.string()).min(1),
  gateway: z.enum(['authenticate', 'variables', 'opencode', 'pi']),
  variables: z.object({ base: names, key: names }),
  /** Set before the session's own variables, which may change them. */
  defaults: z.record(z.string(), z.string()),
  settings: HarnessSettings,
  asks: z.enum(askingHabits),
  reads_agents: z.boolean(),
  asking_mode: z.string().nullable(),
  free_mode: z.string().nullable(),
  model_by: z.enum(['option', 'env']),
  model_env: names,
  mcp: z.array(z.enum(['http', 'sse'])),
  instructions_file: z.string().nullable(),
  skills_folder: z.string().nullable(),
  vendor_env: names,
  /** Files by their paths in the home. */
  home_files: z.record(z.string(), z.string()),
  client_files: z.boolean(),
  resume: z.boolean(),
  /** A folder in the home; a sandbox that an earlier release made names none. */
  dated_records: z.string().nullable().default(null),
  session_meta: z.record(z.string(), z.unknown()).nullable().default(null),
  /** True where the program comes with the repository: it starts once that is whole. */
  of_repository: z.boolean(),
})
export type HarnessLaunch = z.infer<typeof HarnessLaunch>

/** Stands in a launch for the store of harnesses, whose path only a sandbox knows: in `SVC_HARNESSES_DIR`. */
export const harnessesPlace = '{harnesses}'

/** `folder`: the place of an installed harness; null for one that needs no install. */
export function harnessLaunch(frozen: FrozenHarness, folder: string | null): HarnessLaunch {
  const { harness, version, auth, settings } = frozen
  const known = knownHarness(harness)
  const common = { harness, version, auth, settings }
  if (known === undefined) {
    return {
      ...common,
      command: [...(settings.command ?? [])],
      gateway: 'variables',
      variables: copied(vendorVariables[settings.dialect]),
      defaults: {},
      asks: 'by_mode',
      reads_agents: false,
      asking_mode: null,
      free_mode: null,
      model_by: settings.model_env.length > 0 ? 'env' : 'option',
      model_env: settings.model_env,
      mcp: ['http'],
      instructions_file: null,
      skills_folder: null,
      vendor_env: [],
      home_files: {},
      client_files: true,
      resume: true,
      dated_records: null,
      session_meta: null,
      of_repository: true,
    }
  }
  const { program } = known
  const start = program.kind === 'npm' ? ['node', `${folder ?? ''}/${program.script}`] : [program.command]
  return {
    ...common,
    command: [...start, ...known.args],
    gateway: known.gateway,
    variables: copied(known.variables),
    defaults: placed(known.env, folder),
    asks: known.asks,
    reads_agents: known.reads_agents,
    asking_mode: known.asking_mode,
    free_mode: known.free_mode,
    model_by: known.model_by,
    model_env: [...known.model_env, ...settings.model_env],
    mcp: [...known.mcp],
    instructions_file: known.instructions_file,
    skills_folder: known.skills_folder,
    vendor_env: [...known.vendor_env],
    home_files: { ...known.home_files },
    client_files: known.client_files,
    resume: known.resume,
    dated_records: known.dated_records,
    session_meta: known.session_meta === null ? null : { ...known.session_meta },
    of_repository: false,
  }
}

/** The launch in a sandbox that has the store of harnesses at this path; a program of the repository is left as it is. */
export function placedIn(launch: HarnessLaunch, store = ''): HarnessLaunch {
  if (launch.of_repository) return launch
  const at = (text: string): string => text.replaceAll(harnessesPlace, store)
  const defaults = Object.entries(launch.defaults).map(([name, value]) => [name, at(value)])
  return { ...launch, command: launch.command.map(at), defaults: Object.fromEntries(defaults) }
}

/** Some programs have to be given the place of another one of their own install. */
function placed(env: Readonly<Record<string, string>>, folder: string | null): Record<string, string> {
  const entries = Object.entries(env)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value.replaceAll('{folder}', folder ?? '')]),
  )
}

function copied({ base, key }: { readonly base: readonly string[]; readonly key: readonly string[] }) {
  return { base: [...base], key: [...key] }
}
