import type { HarnessLaunch } from '@svc/harness'
import { harnessVariable } from '@svc/harness'
import { settingsParameter } from '../../git/git-settings.ts'
import { gatewayKey, gatewayProvider } from '../gateway-names.ts'
import type { RuntimeParts } from '../runtime.ts'
import type { AgentFile } from '../agent-files/agent-file.ts'
import { opencodeVariables } from './opencode-settings.ts'
import { piVariables } from './pi-settings.ts'

export interface AgentEnvironment {
  readonly env: Record<string, string>
  /** Credentials of the vendor that the project has and the program does not get. */
  readonly withheld: readonly string[]
}

/** The model that a program starts with, as the gateway knows it; null leaves the choice to the program. */
export function startingModel({ gateway }: Pick<RuntimeParts, 'gateway'>): string | null {
  const model = gateway.model ?? gateway.fallback
  return model === undefined ? null : bareModel(model)
}

/** A model of the gateway without the platform's own name for it. */
export const bareModel = (model: string): string =>
  model.startsWith(`${gatewayProvider}/`) ? model.slice(gatewayProvider.length + 1) : model

/**
 * The whole environment of a program: the session's, less its vendor's credentials while the gateway pays, the gateway's
 * address and key where it looks for them, and its switches.
 */
export async function agentEnvironment(
  parts: RuntimeParts,
  launch: HarnessLaunch,
  given: {
    readonly env: Readonly<Record<string, string>>
    readonly config_dir: string
    readonly instructions: string
    readonly agents: ReadonlyMap<string, AgentFile>
  },
): Promise<AgentEnvironment> {
  const { gateway, home, workspace } = parts
  const { [harnessVariable]: _launch, ...session } = given.env
  const key = session[gatewayKey]
  const pays = launch.auth === 'gateway'
  const names = new Set(parts.secretNames())
  const withheld = pays ? launch.vendor_env.filter((name) => names.has(name)) : []
  const kept = Object.entries(session).filter(([name]) => !(pays && launch.vendor_env.includes(name)))
  const model = startingModel(parts)
  const { base_url } = gateway
  // One with settings of its own would take the key for its vendor's, and offer the vendor's models beside the gateway's.
  const isByVariables = launch.gateway === 'authenticate' || launch.gateway === 'variables'
  const addresses =
    pays && isByVariables && base_url !== null && key !== undefined
      ? {
          ...Object.fromEntries(launch.variables.base.map((name) => [name, base_url])),
          ...Object.fromEntries(launch.variables.key.map((name) => [name, key])),
        }
      : {}
  const models = model === null ? {} : Object.fromEntries(launch.model_env.map((name) => [name, model]))
  const own =
    launch.gateway === 'opencode'
      ? await opencodeVariables(parts, given)
      : launch.gateway === 'pi'
        ? await piVariables(parts, home)
        : {}
  return {
    withheld,
    env: {
      ...placed(launch.defaults, { home, model, git_settings: settingsParameter(workspace) }),
      ...Object.fromEntries(kept),
      ...addresses,
      ...models,
      ...own,
      ...launch.settings.env,
    },
  }
}

/** A variable that names the model is left out where the session has none. */
function placed(
  variables: Readonly<Record<string, string>>,
  {
    home,
    model,
    git_settings,
  }: { readonly home: string; readonly model: string | null; readonly git_settings: string },
): Record<string, string> {
  const entries = Object.entries(variables).filter(
    ([, value]) => model !== null || !value.includes('{model}'),
  )
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      value
        .replaceAll('{home}', home)
        .replaceAll('{model}', model ?? '')
        .replaceAll('{git_settings}', git_settings),
    ]),
  )
}
