import { manifestRuntimes } from '@svc/facts'
import { z } from 'zod'
import { agentShape } from './agent.ts'
import { appShape } from './app.ts'
import { connectorShape } from './connector.ts'
import { harnessesShape } from './harness.ts'
import { sandboxShape } from './sandbox.ts'
import { triggerShape } from './trigger.ts'
import { filled, forbidden, ownEnvName, relativePath, slugKey } from './words.ts'

const anAgent = 'must declare at least one agent'

const projectShape = z.looseObject({ name: z.string().optional(), description: z.string().optional() })
const envShape = z.looseObject({
  required: z.array(ownEnvName).optional(),
  optional: z.array(ownEnvName).optional(),
})
const agentrtShape = z.looseObject({ config_dir: relativePath.optional() })

/** svc.yaml, schema version 2: the whole shape. References between entries are checked by the rules. */
export const manifestShape = z.looseObject({
  svc_version: z.literal(2, { error: 'must be `2`' }),
  default_agent: filled,
  runtime: z.enum(manifestRuntimes).optional(),
  harness: filled.optional(),
  harnesses: harnessesShape.optional(),
  agents: z
    .record(slugKey, agentShape)
    .refine((agents) => Object.keys(agents).length > 0, anAgent)
    .meta({ minProperties: 1 }),
  project: projectShape.optional(),
  env: envShape.optional(),
  agentrt: agentrtShape.optional(),
  sandbox: sandboxShape.optional(),
  sandboxes: forbidden('`sandboxes` was removed; list templates in `sandbox.templates`'),
  triggers: z.array(triggerShape).optional(),
  connectors: z.array(connectorShape).optional(),
  apps: z.record(slugKey, appShape).optional(),
  /** accepted as it is written; nothing reads it */
  checks: z.unknown().optional(),
  channels: forbidden('`channels` was removed; declare a connector with provider `channel`'),
})
