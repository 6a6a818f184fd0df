import type { z } from 'zod'
import type { Finding } from '../issue.ts'
import { isMapping, listAt, mappingAt, textAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { agentShape, legacyAgentShape } from '../schema/agent.ts'
import { appShape } from '../schema/app.ts'
import { connectorShape } from '../schema/connector.ts'
import { harnessShape } from '../schema/harness.ts'
import { templateShape } from '../schema/sandbox.ts'
import { triggerShape } from '../schema/trigger.ts'
import { toAgent } from './agent.ts'
import type { Agent } from './agent.ts'
import { toApp } from './app.ts'
import { toConnector } from './connector.ts'
import { toHarness } from './harness.ts'
import type { Manifest } from './manifest.ts'
import { runtimeSettingsOf } from './runtime-settings.ts'
import { toTemplate } from './sandbox.ts'
import { toTrigger } from './trigger.ts'
import { manifestLimits } from '../limits.ts'

/** The manifest without the entries that an error was found in: one bad entry does not cost the others. */
export function normalise(data: Mapping, version: 1 | 2, findings: readonly Finding[]): Manifest {
  const faulty = faultyPlaces(findings)
  const sound = (...path: readonly (string | number)[]) => !faulty.has(placeKey(path))
  const list = (value: unknown, ...path: readonly (string | number)[]) =>
    listAt(value, String(path.at(-1))).filter((_, index) => sound(...path, index))

  const agents = Object.entries(mappingAt(data, 'agents')).flatMap(([name, value]): readonly Agent[] => {
    const agent = sound('agents', name)
      ? parsed(version === 1 ? legacyAgentShape : agentShape, value)
      : undefined
    return agent ? [toAgent(name, agent, version)] : []
  })
  const default_agent = defaultAgentOf(data, version, agents)
  const { runtime, config_dir } = runtimeSettingsOf(data, findings)
  const sandbox = mappingAt(data, 'sandbox')
  const templates = list(sandbox, 'sandbox', 'templates').flatMap((value) => {
    const template = parsed(templateShape, value)
    return (template && toTemplate(template)) ?? []
  })
  const sandboxDefault = textAt(sandbox, 'default') ?? 'default'
  let monitors = 0

  return {
    svc_version: version,
    default_agent,
    runtime,
    harness: version === 2 && sound('harness') ? (textAt(data, 'harness') ?? null) : null,
    harnesses: Object.entries(version === 2 ? mappingAt(data, 'harnesses') : {}).flatMap(([name, value]) => {
      const harness = sound('harnesses', name) ? parsed(harnessShape, value) : undefined
      return harness ? [toHarness(name, harness)] : []
    }),
    project: {
      name: textAt(mappingAt(data, 'project'), 'name') ?? null,
      description: textAt(mappingAt(data, 'project'), 'description') ?? null,
    },
    env: {
      required: names(list(mappingAt(data, 'env'), 'env', 'required')),
      optional: names(list(mappingAt(data, 'env'), 'env', 'optional')),
    },
    agentrt: { config_dir },
    agents,
    sandbox: {
      default: templates.some((template) => template.slug === sandboxDefault) ? sandboxDefault : 'default',
      templates,
    },
    connectors: list(data, 'connectors').flatMap((value) => {
      const connector = parsed(connectorShape, value)
      return (connector && toConnector(connector)) ?? []
    }),
    apps: Object.entries(mappingAt(data, 'apps')).flatMap(([name, value]) => {
      const app = sound('apps', name) ? parsed(appShape, value) : undefined
      return (app && toApp(name, app)) ?? []
    }),
    triggers: list(data, 'triggers').flatMap((value) => {
      const input = parsed(triggerShape, value)
      const trigger = input && toTrigger(input, default_agent)
      if (!trigger) return []
      const counted = trigger.type === 'monitor' && trigger.enabled
      return counted && ++monitors > manifestLimits.enabled_monitors ? [] : trigger
    }),
  }
}

function defaultAgentOf(data: Mapping, version: 1 | 2, agents: readonly Agent[]): string | null {
  const written = textAt(data, 'default_agent')
  if (version === 1) return written ?? 'default'
  return agents.some((agent) => agent.name === written && agent.enabled) ? (written ?? null) : null
}

function parsed<Output>(shape: z.ZodType<Output>, value: unknown): Output | undefined {
  const result = isMapping(value) ? shape.safeParse(value) : undefined
  return result?.success ? result.data : undefined
}

function names(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string')
}

/** Every place an error is at or inside of. */
function faultyPlaces(findings: readonly Finding[]): ReadonlySet<string> {
  const places = new Set<string>()
  for (const { path, severity } of findings) {
    if (severity !== 'error') continue
    for (let length = 1; length <= Math.min(path.length, 3); length++)
      places.add(placeKey(path.slice(0, length)))
  }
  return places
}

function placeKey(path: readonly (string | number)[]): string {
  return JSON.stringify(path)
}
