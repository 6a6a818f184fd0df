import { z } from 'zod'
import type { Finding } from '../issue.ts'
import { error, warning } from '../issue.ts'
import { textAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { entryRules } from '../rules/entries.ts'
import { triggerRules } from '../rules/triggers.ts'
import { legacyAgentShape } from '../schema/agent.ts'
import { shapeFindings } from '../schema/explain.ts'
import { manifestShape } from '../schema/manifest.ts'
import { filled, slugKey } from '../schema/words.ts'

/** svc.toml, version 1: its keys by the rules of version 2, but for those that were looser. */
const legacyShape = manifestShape
  .omit({
    svc_version: true,
    sandbox: true,
    sandboxes: true,
    apps: true,
    channels: true,
    harness: true,
    harnesses: true,
  })
  .extend({
    default_agent: filled.optional(),
    agents: z.record(slugKey, legacyAgentShape).optional(),
  })

export function legacyFindings(data: Mapping): readonly Finding[] {
  if (Array.isArray(data['agents'])) {
    const { agents, ...rest } = data
    return [...listedAgents(agents), ...legacyFindings(rest)]
  }
  return [
    ...shapeFindings(legacyShape, data),
    ...entryRules({ connectors: data['connectors'] }),
    ...triggerRules(data, 1),
    ...['harness', 'harnesses']
      .filter((key) => Object.hasOwn(data, key))
      .map((key) => warning([key], 'is not read from a version 1 manifest; write svc.yaml')),
  ]
}

function listedAgents(agents: unknown): readonly Finding[] {
  const seen = new Set<string>()
  return (Array.isArray(agents) ? agents : []).flatMap((agent: unknown, index) => {
    const name = textAt(agent, 'name')
    const path = ['agents', index, 'name']
    if (!name) return [error(path, 'required: text')]
    if (seen.has(name)) return [error(path, `another agent is named \`${name}\``)]
    seen.add(name)
    return []
  })
}
