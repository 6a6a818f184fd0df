import type { TriggerType } from '@svc/facts'
import type { Payload } from './template.ts'

interface TriggerNames {
  readonly slug: string
  readonly type: TriggerType
}

/** The values that every fire has. */
export function triggerNames({ slug, type }: TriggerNames): Payload {
  return { trigger: { slug, type, kind: 'git' } }
}

export interface CronFire extends TriggerNames {
  /** The expression that fired, or the instant of a one-off run. */
  readonly schedule: string
  readonly timezone: string
  readonly fired_at: Date
  readonly last_fired_at: Date | null
}

export function cronPayload(fire: CronFire): Payload {
  return {
    ...triggerNames(fire),
    cron: {
      schedule: fire.schedule,
      timezone: fire.timezone,
      fired_at: fire.fired_at.toISOString(),
      last_fired_at: fire.last_fired_at?.toISOString() ?? '',
    },
  }
}

export interface WebhookFire extends TriggerNames {
  readonly fired_at: Date
  readonly body: Uint8Array
  readonly headers: HeaderLookup
}

/** A header by its name in lower case; null when it was not sent, an empty text when it was sent empty. */
export type HeaderLookup = (name: string) => string | null

export function webhookPayload(fire: WebhookFire): Payload {
  return {
    ...triggerNames(fire),
    fired_at: fire.fired_at.toISOString(),
    body: bodyValue(fire.body),
    headers: {
      content_type: fire.headers('content-type') ?? '',
      user_agent: fire.headers('user-agent') ?? '',
      forwarded_for: fire.headers('x-forwarded-for') ?? '',
    },
  }
}

/** The body as JSON; any other text is `{ raw }`. */
export function bodyValue(body: Uint8Array): unknown {
  const raw = new TextDecoder().decode(body)
  try {
    return JSON.parse(raw)
  } catch {
    return { raw }
  }
}

export interface ManualFire extends TriggerNames {
  readonly fired_at: Date
  /** The id of the person. */
  readonly actor: string
  readonly text: string
}

export function manualPayload(fire: ManualFire): Payload {
  return {
    ...triggerNames(fire),
    fired_at: fire.fired_at.toISOString(),
    source: 'manual',
    actor: fire.actor,
    message: { text: fire.text, source: 'manual' },
  }
}
