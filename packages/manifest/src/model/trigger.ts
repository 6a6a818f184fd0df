import type { Overlap, SessionMode } from '@svc/facts'
import { isSwitchedOn } from '../rules/switch.ts'
import type { TriggerInput } from '../schema/trigger.ts'

interface TriggerCommon {
  readonly slug: string
  readonly name: string
  readonly prompt: string
  readonly agent: string
  /** `provider/model`, or null: resolved when it fires */
  readonly model: string | null
  readonly enabled: boolean
  readonly session_mode: SessionMode
  readonly session_id: string | null
  readonly session_key: string | null
  readonly filter: Readonly<Record<string, string>>
  /** what becomes of an occurrence while an earlier one is being worked on */
  readonly overlap: Overlap
}

export type CronTrigger = TriggerCommon & { readonly type: 'cron'; readonly timezone: string } & (
    { readonly cron: string; readonly run_at: null } | { readonly cron: null; readonly run_at: string }
  )

export type WebhookTrigger = TriggerCommon & { readonly type: 'webhook'; readonly secret_env: string }

export type MonitorTrigger = TriggerCommon & {
  readonly type: 'monitor'
  readonly run: string
  readonly expect_event_within: string | null
} & (
    | { readonly mode: 'poll'; readonly interval: string }
    | { readonly mode: 'stream'; readonly interval: null }
  )

export type Trigger = CronTrigger | WebhookTrigger | MonitorTrigger

/** undefined when a key that the type needs is missing, which the shape has said already. */
export function toTrigger(input: TriggerInput, defaultAgent: string | null): Trigger | undefined {
  const common = commonOf(input, defaultAgent)
  if (!common) return undefined
  switch (input.type) {
    case 'cron':
      return toCron(common, input)
    case 'webhook': {
      const secret_env = input.secret_env ?? input.secretEnv
      return secret_env === undefined ? undefined : { ...common, type: 'webhook', secret_env }
    }
    case 'monitor':
      return toMonitor(common, input)
  }
}

function toCron(common: TriggerCommon, input: TriggerInput): CronTrigger | undefined {
  const type = 'cron'
  const timezone = input.timezone ?? 'UTC'
  const cron = input.cron ?? input.schedule
  if (cron !== undefined) return { ...common, type, timezone, cron, run_at: null }
  const run_at = input.run_at ?? input.runAt
  return run_at === undefined ? undefined : { ...common, type, timezone, cron: null, run_at }
}

function toMonitor(common: TriggerCommon, input: TriggerInput): MonitorTrigger | undefined {
  const { run, mode, interval } = input
  if (run === undefined) return undefined
  const monitor = {
    ...common,
    type: 'monitor',
    run,
    expect_event_within: input.expect_event_within ?? null,
  } as const
  if (mode === 'stream') return { ...monitor, mode, interval: null }
  return mode === 'poll' && interval !== undefined ? { ...monitor, mode, interval } : undefined
}

function commonOf(input: TriggerInput, defaultAgent: string | null): TriggerCommon | undefined {
  const prompt = input.prompt ?? input.prompt_template
  const agent = input.agent ?? input.agent_name ?? defaultAgent
  if (prompt === undefined || agent === null) return undefined
  const session_key = input.session_key ?? input.sessionKey ?? null
  return {
    slug: input.slug,
    name: input.name ?? input.slug,
    prompt,
    agent,
    model: input.model ?? null,
    enabled: isSwitchedOn(input.enabled),
    session_mode: sessionModeOf(input, session_key),
    session_id: input.session_id ?? input.sessionId ?? null,
    session_key,
    filter: input.filter ?? {},
    overlap: input.overlap ?? 'allow',
  }
}

/** A key alone implies `keyed`; a monitor's many events go to one session. */
function sessionModeOf(input: TriggerInput, session_key: string | null): SessionMode {
  const written = (input.session_mode ?? input.sessionMode)?.toLowerCase()
  switch (written) {
    case 'fresh':
    case 'reuse':
    case 'pinned':
    case 'keyed':
      return written
    default:
      if (session_key !== null) return 'keyed'
      return input.type === 'monitor' ? 'reuse' : 'fresh'
  }
}
