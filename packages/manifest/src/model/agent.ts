import { defaultAgentGrant } from '@svc/facts'
import type { ManifestCapability } from '../capabilities.ts'
import type { AgentInput } from '../schema/agent.ts'
import type { Allowlist } from '../schema/words.ts'

export type CapabilityList = 'all' | 'none' | readonly ManifestCapability[]
export type Workspace = 'runtime' | 'read' | 'branch'

/** The grants of one agent. */
export interface Agent {
  readonly name: string
  readonly enabled: boolean
  /** a template's slug, or null for the project's default */
  readonly sandbox: string | null
  readonly connectors: Allowlist
  readonly secrets: Allowlist
  readonly skills: Allowlist
  readonly connectors_required: readonly string[]
  readonly svc_cli: CapabilityList
  readonly workspace: Workspace
}

/** Version 2 grants nothing that is not written; version 1 granted every connector, secret and skill. */
export function toAgent(name: string, input: AgentInput, version: 1 | 2): Agent {
  const omitted = version === 1 ? 'all' : 'none'
  return {
    name,
    enabled: input.enabled ?? true,
    sandbox: input.sandbox ?? null,
    connectors: input.connectors ?? omitted,
    secrets: input.secrets ?? omitted,
    skills: input.skills ?? omitted,
    connectors_required: input.connectors_required ?? input.connectors_personal ?? [],
    svc_cli: input.svc_cli ?? defaultAgentGrant,
    workspace: input.workspace ?? 'branch',
  }
}
