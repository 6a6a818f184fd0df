import { z } from 'zod'
import { manifestCapabilities } from '../capabilities.ts'
import { closedObject } from './closed.ts'
import { agentFileKeys } from './agent-file.ts'
import { allowlist, filled, slug } from './words.ts'

const governance = {
  enabled: z.boolean().optional(),
  sandbox: slug.optional(),
  connectors: allowlist(filled).optional(),
  secrets: allowlist(filled).optional(),
  skills: allowlist(filled).optional(),
  connectors_required: z.array(filled).optional(),
  connectors_personal: z.array(filled).meta({ deprecated: true }).optional(),
  svc_cli: allowlist(z.enum(manifestCapabilities)).optional(),
  workspace: z.enum(['runtime', 'read', 'branch']).optional(),
}

export const ownFilePlaceholder = '<config_dir>/agents/<name>.md'

const behaviour = new Set([...agentFileKeys, 'prompt', 'tools', 'system', 'instructions'])

/** The agent as the platform governs it. Its behaviour is written in its own file, and nowhere else. */
export const agentShape = closedObject(governance, (key) =>
  behaviour.has(key)
    ? `\`${key}\` is the agent's behaviour: write it in the agent's own file, ${ownFilePlaceholder}`
    : undefined,
)

/** Version 1 kept behaviour and governance in one table; only the governance is read. */
export const legacyAgentShape = z.looseObject({ name: filled.optional(), ...governance })

export type AgentInput = z.output<typeof legacyAgentShape>
