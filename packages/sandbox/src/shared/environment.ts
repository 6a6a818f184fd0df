import { appdVariables, type ImageProgram } from '../programs/wire.ts'
import { SandboxError } from '../sandbox-error.ts'

export interface Places {
  readonly workspace: string
  readonly home: string
  readonly run: string
  readonly temporary: string
  readonly tools: string
  /** The store of harnesses: a command that names one begins with it. */
  readonly harnesses: string
}

/** Paths as processes see them in a sandbox with a root of its own. */
export const mountedPlaces: Places = {
  workspace: '/workspace',
  home: '/opt/svc/home',
  run: '/run/svc',
  temporary: '/tmp',
  tools: '/usr/local',
  harnesses: '/opt/svc/harnesses',
}

export interface Identifiers {
  readonly external_id: string
  readonly address: string
  readonly service_port: number
  readonly runtime_port: number
  readonly environment: Readonly<Record<string, string>>
}

/** The environment of a sandbox of a program: nothing of it is a session's, and no address of the platform is in it. */
export function programSandboxEnvironment(
  sandbox: Omit<Identifiers, 'runtime_port'>,
  places: Places,
  network: { readonly kind: 'own' | 'shared'; readonly variables: Readonly<Record<string, string>> },
): Readonly<Record<string, string>> {
  requirePassable(sandbox.environment)
  return {
    LANG: 'C.UTF-8',
    [appdVariables.network]: network.kind,
    ...sandbox.environment,
    ...ownVariables(sandbox, places),
    ...network.variables,
  }
}

/** The whole environment of a sandbox: what was given, and the provider's own, which a project cannot replace. */
export function sandboxEnvironment(
  sandbox: Identifiers,
  places: Places,
  apiUrl: string,
  network: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  requirePassable(sandbox.environment)
  return {
    LANG: 'C.UTF-8',
    SVC_API_URL: apiUrl,
    ...sandbox.environment,
    ...ownVariables(sandbox, places),
    SVC_HARNESSES_DIR: places.harnesses,
    SVC_RUNTIME_PORT: String(sandbox.runtime_port),
    ...network,
  }
}

/** The same in an image: its program has the home and the user of the image. */
export function inImage(
  {
    HOME: _,
    USER: __,
    LOGNAME: ___,
    TMPDIR: ____,
    LANG: _____,
    ...environment
  }: Readonly<Record<string, string>>,
  { command, folder, environment: own }: ImageProgram,
): Readonly<Record<string, string>> {
  return { ...environment, [appdVariables.image]: JSON.stringify({ command, folder, environment: own }) }
}

function requirePassable(environment: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(environment))
    if (name === '' || /[=\0]/.test(name) || value.includes('\0'))
      throw new SandboxError(
        'internal',
        `The environment variable ${JSON.stringify(name)} cannot be passed on; rename it, or leave it out.`,
      )
}

/** The provider's own, which say where a sandbox is. */
function ownVariables(
  sandbox: Omit<Identifiers, 'runtime_port' | 'environment'>,
  places: Places,
): Readonly<Record<string, string>> {
  return {
    HOME: places.home,
    LOGNAME: 'svc',
    PATH: `${places.tools}/bin:/usr/local/bin:/usr/bin:/bin`.replace(
      '/usr/local/bin:/usr/local/bin',
      '/usr/local/bin',
    ),
    SVC_RUN_DIR: places.run,
    SVC_SANDBOX_ADDRESS: sandbox.address,
    SVC_SANDBOX_ID: sandbox.external_id,
    SVC_SERVICE_PORT: String(sandbox.service_port),
    SVC_WORKSPACE: places.workspace,
    TMPDIR: places.temporary,
    USER: 'svc',
  }
}
