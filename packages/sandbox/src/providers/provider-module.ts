import type { z } from 'zod'
import type { Egress } from '../network/egress.ts'
import type { SandboxLimits, SandboxProvider } from '../provider.ts'
import type { ProviderName } from '../provider-names.ts'
import type { ProviderLog } from '../shared/provider-log.ts'
import type { ToolSources } from '../shared/tools/tools.ts'

/** A provider as the registry has it: a new one is a folder with one of these, its names, and one line there. */
export interface ProviderModule<Settings> {
  /** The words of SVC_SANDBOX_PROVIDER that it answers to; they share its folder, so one at a time. */
  readonly names: readonly ProviderName[]
  /** The variables that it reads, with what the documentation says of each. */
  readonly settings: z.ZodRawShape
  /** elsewhere: its sandboxes reach the platform from other machines, and several platforms may share their place. */
  readonly place: 'this machine' | 'elsewhere'
  /** The reason that `auto` does not take it, in a sentence; null where it does. Without this, `auto` never takes it. */
  passedOver?(asked: AskedProvider<Settings>): Promise<string | null>
  open(asked: AskedProvider<Settings>): Promise<ChosenProvider>
}

export interface AskedProvider<Settings> {
  /** One of the module's names, or `auto`. */
  readonly name: string
  readonly settings: Settings
  readonly parts: ProviderParts
}

export interface ChosenProvider {
  readonly provider: SandboxProvider
  /** One sentence for the person who started the platform. */
  readonly why: string
}

/** The same for every provider of an app. */
export interface ProviderParts {
  /** The folder in which sandboxes of this machine live. */
  readonly root: string
  /** The deployment's id: providers of another scope see none of its sandboxes. */
  readonly scope: string
  readonly tools: ToolSources
  /** Given to sandboxes whose environment names no API of its own. */
  readonly api_url: string
  readonly log: ProviderLog
  /** The sandboxes' reach; the platform alone when not given. */
  readonly egress?: Egress
  /** Defaults for limits that a sandbox's own leave open. */
  readonly default_limits?: SandboxLimits
  /** Starts a container; needed where containers are made. */
  readonly boot_bundle?: string
  /** The ports at which this very process serves sandboxes, for providers that open ports one by one. */
  readonly own_ports?: readonly number[]
  /** The bubblewrap program; looked for on the usual path when not given. */
  readonly bubblewrap_program?: string
}

/** A choice of provider, as a reason names it. */
export function choiceOf(name: string): string {
  return `SVC_SANDBOX_PROVIDER=${name}`
}
