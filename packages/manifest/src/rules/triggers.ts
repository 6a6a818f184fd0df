import { durationMs, platformNamePattern, upperEnvNamePattern } from '@svc/facts'
import type { Finding } from '../issue.ts'
import { error, warning } from '../issue.ts'
import { manifestLimits } from '../limits.ts'
import { isMapping, listAt, mappingAt, textAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { choice, didYouMean, quoted } from '../suggest.ts'
import { repeatedSlugs } from './entries.ts'
import { cronProblem, dateTimeProblem, timezoneProblem, unknownZone } from './schedule.ts'
import { isSwitchedOn } from './switch.ts'

/** The rules on a trigger's values together, and on the triggers and the rest of the manifest. */
export function triggerRules(manifest: Mapping, version: 1 | 2): readonly Finding[] {
  const findings = [...repeatedSlugs(manifest, ['triggers'], 'trigger')]
  const checks = scheduleChecks()
  const env = mappingAt(manifest, 'env')
  const declaredEnv = new Set([...listAt(env, 'required'), ...listAt(env, 'optional')])
  const agents = version === 2 ? mappingAt(manifest, 'agents') : {}
  const agentNames = Object.keys(agents)
  let monitors = 0
  for (const [index, trigger] of listAt(manifest, 'triggers').entries()) {
    if (!isMapping(trigger)) continue
    const found = [
      ...agentRule(trigger, agents, agentNames),
      ...scheduleRules(trigger, checks),
      ...monitorRules(trigger),
      ...sessionRules(trigger),
      ...strayKeys(trigger),
      ...doubledAliases(trigger),
      ...secretRule(trigger, declaredEnv),
    ]
    findings.push(...found.map((one) => ({ ...one, path: ['triggers', index, ...one.path] })))
    if (textAt(trigger, 'type') === 'monitor' && isSwitchedOn(trigger['enabled'])) monitors++
  }
  if (monitors > manifestLimits.enabled_monitors) {
    const message = `${monitors} monitors are enabled; at most ${manifestLimits.enabled_monitors} may be`
    findings.push(error(['triggers'], message))
  }
  return findings
}

function agentRule(trigger: Mapping, agents: Mapping, names: readonly string[]): readonly Finding[] {
  const key = Object.hasOwn(trigger, 'agent') ? 'agent' : 'agent_name'
  const name = textAt(trigger, key)
  if (name === undefined || name === '' || names.length === 0) return []
  if (!Object.hasOwn(agents, name)) {
    return [
      error(
        [key],
        () =>
          `no agent is named ${quoted(name)}${didYouMean(name, names) || `; declared are ${choice(names)}`}`,
      ),
    ]
  }
  const disabled = mappingAt(agents, name)['enabled'] === false
  return disabled ? [warning([key], `the agent ${quoted(name)} is disabled; the trigger cannot fire`)] : []
}

type Check = (text: string) => string | undefined

/** Many triggers share a schedule or a time zone; each is looked into once. */
function scheduleChecks(): Readonly<Record<string, Check>> {
  const cron = remembered(cronProblem)
  return {
    cron,
    schedule: cron,
    run_at: dateTimeProblem,
    runAt: dateTimeProblem,
    timezone: remembered(timezoneProblem, maxZones),
  }
}

function scheduleRules(trigger: Mapping, checks: Readonly<Record<string, Check>>): readonly Finding[] {
  if (textAt(trigger, 'type') !== 'cron') return []
  return Object.entries(checks).flatMap(([key, check]) => {
    const text = textAt(trigger, key)
    const problem = text === undefined || text === '' ? undefined : check(text)
    return problem === undefined ? [] : [error([key], problem)]
  })
}

function monitorRules(trigger: Mapping): readonly Finding[] {
  if (textAt(trigger, 'type') !== 'monitor') return []
  const interval = durationMs(textAt(trigger, 'interval') ?? '')
  if (interval === null || interval >= manifestLimits.monitor_interval_seconds * 1000) return []
  return [error(['interval'], `must be at least ${manifestLimits.monitor_interval_seconds}s`)]
}

function sessionRules(trigger: Mapping): readonly Finding[] {
  const mode = textAt(trigger, 'session_mode', 'sessionMode')?.toLowerCase()
  const id = ['session_id', 'sessionId'].find((key) => Object.hasOwn(trigger, key))
  if (id !== undefined && mode !== 'pinned')
    return [warning([id], 'is read only when `session_mode` is `pinned`')]
  const hasKey = textAt(trigger, 'session_key', 'sessionKey') !== undefined
  if (mode === 'keyed' && !hasKey) {
    return [
      warning(
        ['session_key'],
        'is missing: without it every fire of a `keyed` trigger opens a fresh session',
      ),
    ]
  }
  return []
}

const keysOfType = {
  cron: ['cron', 'schedule', 'run_at', 'runAt', 'timezone'],
  webhook: ['secret_env', 'secretEnv'],
  monitor: ['run', 'mode', 'interval', 'expect_event_within'],
} as const

const typeOfKey = new Map<string, string>(
  Object.entries(keysOfType).flatMap(([type, keys]) => keys.map((key): [string, string] => [key, type])),
)

/** On a monitor the shape forbids the keys of other types; elsewhere they are only idle. */
function strayKeys(trigger: Mapping): readonly Finding[] {
  const type = textAt(trigger, 'type')
  if (type !== 'cron' && type !== 'webhook') return []
  return Object.keys(trigger).flatMap((key) => {
    const other = typeOfKey.get(key)
    if (other === undefined || other === type) return []
    return [warning([key], `belongs to ${other} triggers; a ${type} trigger does not read it`)]
  })
}

/** Each alias beside its name. */
export const triggerAliases = {
  prompt: 'prompt_template',
  agent: 'agent_name',
  session_mode: 'sessionMode',
  session_id: 'sessionId',
  session_key: 'sessionKey',
  cron: 'schedule',
  run_at: 'runAt',
  secret_env: 'secretEnv',
} as const

const aliasPairs = Object.entries(triggerAliases)

function doubledAliases(trigger: Mapping): readonly Finding[] {
  const type = textAt(trigger, 'type')
  return aliasPairs.flatMap(([name, alias]) => {
    if (!Object.hasOwn(trigger, alias) || !Object.hasOwn(trigger, name)) return []
    const idle = (typeOfKey.get(name) ?? type) !== type
    return idle ? [] : [warning([alias], `is ignored beside \`${name}\``)]
  })
}

function secretRule(trigger: Mapping, declared: ReadonlySet<unknown>): readonly Finding[] {
  const key = Object.hasOwn(trigger, 'secret_env') ? 'secret_env' : 'secretEnv'
  const name = textAt(trigger, key)
  if (textAt(trigger, 'type') !== 'webhook' || name === undefined) return []
  if (!upperEnvNamePattern.test(name) || platformNamePattern.test(name)) return []
  return declared.has(name) ? [] : [warning([key], `declare ${quoted(name)} in \`env.optional\``)]
}

/** There are fewer zones in the world; a name that comes after so many others is none of them. */
const maxZones = 1000

function remembered(check: Check, max = Infinity): Check {
  const known = new Map<string, string | undefined>()
  return (text) => {
    if (known.has(text)) return known.get(text)
    const problem = known.size < max ? check(text) : unknownZone
    known.set(text, problem)
    return problem
  }
}
