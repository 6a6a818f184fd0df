import type { ManifestRuntime } from '@svc/facts'
import type { HarnessEntry } from '@svc/harness'
import type { Agent } from './agent.ts'
import type { App } from './app.ts'
import type { Connector } from './connector.ts'
import type { Sandbox } from './sandbox.ts'
import type { Trigger } from './trigger.ts'

/** A manifest as the platform uses it: aliases resolved, defaults filled in, entries with an error left out. */
export interface Manifest {
  readonly svc_version: 1 | 2
  /** null when the file names none that is declared and enabled */
  readonly default_agent: string | null
  readonly runtime: ManifestRuntime
  /** The harness of agents whose file names none; null leaves them to `runtime`. */
  readonly harness: string | null
  readonly harnesses: readonly HarnessEntry[]
  readonly project: { readonly name: string | null; readonly description: string | null }
  readonly env: { readonly required: readonly string[]; readonly optional: readonly string[] }
  readonly agentrt: { readonly config_dir: string }
  readonly agents: readonly Agent[]
  readonly sandbox: Sandbox
  readonly connectors: readonly Connector[]
  readonly apps: readonly App[]
  readonly triggers: readonly Trigger[]
}
