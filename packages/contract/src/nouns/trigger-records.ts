import { z } from '@hono/zod-openapi'
import { fireMachine, monitorStates } from '@svc/trigger'
import { fireKinds, overlaps, sessionModes, triggerTypes, monitorModes } from '@svc/facts'
import { ChangeRequest } from './change-request-records.ts'
import { text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'

const verdicts = ['accepted', 'refused', 'deduped', 'skipped', 'failed'] as const

const Monitor = z
  .object({
    state: z.enum(monitorStates),
    last_line_at: Timestamp.nullable(),
    last_exit: z.string().nullable().openapi({ description: 'How its command ended the last time' }),
    suppressed_until: Timestamp.nullable().openapi({ description: 'Lines are only counted until then' }),
    suppressed_lines: z.int(),
    error: z
      .string()
      .nullable()
      .openapi({ description: 'Why its sandbox does not come up, or is not reached' }),
  })
  .openapi('TriggerMonitor')

export const Trigger = z
  .object({
    slug: z.string(),
    name: z.string(),
    type: z.enum(triggerTypes),
    agent: z.string(),
    model: z.string().nullable().openapi({ description: '`provider/model`; null is resolved at each fire' }),
    enabled: z.boolean(),
    prompt_template: z.string(),
    cron: z.string().nullable().openapi({ description: 'Six fields: second minute hour day month weekday' }),
    run_at: z.string().nullable().openapi({ description: 'The instant of a one-off run' }),
    timezone: z.string().nullable(),
    secret_env: z.string().nullable().openapi({ description: 'The secret that senders of a webhook know' }),
    run: z.string().nullable(),
    mode: z.enum(monitorModes).nullable(),
    interval: z.string().nullable(),
    expect_event_within: z.string().nullable(),
    session_mode: z.enum(sessionModes),
    session_id: z.string().nullable(),
    session_key: z.string().nullable(),
    filter: z.record(z.string(), z.string()),
    overlap: z.enum(overlaps),
    last_fired_at: Timestamp.nullable(),
    last_status: z.string().nullable(),
    last_error: z.string().nullable(),
    last_attempt_at: Timestamp.nullable(),
    next_fire_at: Timestamp.nullable(),
    monitor: Monitor.nullable().openapi({ description: 'How a monitor is; null of other triggers' }),
    webhook_url: z.string().nullable().openapi({ description: 'Where senders of a webhook POST to' }),
  })
  .openapi('Trigger')

/** The answer to a session that edits a trigger. */
export const TriggerProposal = z
  .object({ status: z.literal('proposed'), change_request: ChangeRequest })
  .openapi('TriggerProposal')

export const TriggerList = z
  .object({
    triggers: z.array(Trigger),
    triggers_paused: z.boolean(),
    errors: z
      .array(z.object({ slug: z.string().nullable(), path: z.string(), error: z.string() }))
      .openapi({ description: 'Entries of the manifest that cannot be used, and why' }),
  })
  .openapi('TriggerList')

/** The manifest judges what they hold; here only their kind counts. */
const fields = {
  name: text(200),
  prompt: text(limits.promptBytes),
  prompt_template: text(limits.promptBytes),
  agent: text(128),
  model: text(256),
  enabled: z.boolean(),
  cron: text(256),
  run_at: text(64),
  timezone: text(64),
  secret_env: text(64),
  run: text(1024),
  mode: z.enum(monitorModes),
  interval: text(32),
  expect_event_within: text(32),
  session_mode: z.enum(sessionModes),
  session_id: text(256),
  session_key: text(4096),
  filter: z.record(z.string(), z.string()),
  overlap: z.enum(overlaps),
}

export const CreateTrigger = z
  .strictObject({ slug: text(128).min(1), type: z.enum(triggerTypes), ...fields })
  .partial()
  .required({ slug: true, type: true })
  .openapi('CreateTrigger', { example: examples.createTrigger })

const taken = z.null().openapi({ description: 'Takes the field away' })
const nullable = <T extends z.ZodType>(schema: T) => z.union([schema, taken]).optional()

export const UpdateTrigger = z
  .strictObject({
    name: nullable(fields.name),
    prompt: fields.prompt.optional(),
    prompt_template: fields.prompt_template.optional(),
    agent: nullable(fields.agent),
    model: nullable(fields.model),
    enabled: nullable(fields.enabled),
    cron: nullable(fields.cron),
    run_at: nullable(fields.run_at),
    timezone: nullable(fields.timezone),
    secret_env: fields.secret_env.optional(),
    run: fields.run.optional(),
    mode: fields.mode.optional(),
    interval: nullable(fields.interval),
    expect_event_within: nullable(fields.expect_event_within),
    session_mode: nullable(fields.session_mode),
    session_id: nullable(fields.session_id),
    session_key: nullable(fields.session_key),
    filter: nullable(fields.filter),
    overlap: nullable(fields.overlap),
  })
  .openapi('UpdateTrigger', { example: examples.updateTrigger })

export const TriggerFire = z
  .object({
    fire_id: z.uuid(),
    slug: z.string(),
    type: z.enum(fireKinds),
    occurrence: z.string().openapi({ description: 'The nominal slot, the delivery id, or a fresh id' }),
    scheduled_at: Timestamp,
    fired_at: Timestamp.nullable(),
    status: z.enum(fireMachine.states),
    reason: z.string().nullable(),
    code: z
      .string()
      .nullable()
      .openapi({ description: 'The code of the refusal that ended it, such as budget_exceeded' }),
    session_id: z.uuid().nullable(),
    delivery_id: z.string().nullable(),
    replay_of: z.uuid().nullable().openapi({ description: 'The fire that this one repeats' }),
  })
  .openapi('TriggerFire')

export const TriggerDelivery = z
  .object({
    receipt_id: z.uuid(),
    delivery_id: z.string().nullable().openapi({ description: 'What makes a repeat the same delivery' }),
    received_at: Timestamp,
    headers: z.record(z.string(), z.string()).openapi({ description: 'Without credentials' }),
    body: z.string().nullable().openapi({ description: 'Up to 64 KiB; null of a refused or repeated one' }),
    body_bytes: z.int(),
    body_truncated: z.boolean(),
    verdict: z.enum(verdicts),
    reason: z.string().nullable(),
    redelivery_of: z.uuid().nullable(),
    fire_id: z.uuid().nullable(),
    session_id: z.uuid().nullable(),
  })
  .openapi('TriggerDelivery')

const Fired = z.object({ status: z.literal('fired'), session_id: z.uuid() })
const Waiting = z.object({ status: z.literal('queued'), reason: z.string() })
export const Skipped = z.object({ status: z.literal('skipped'), reason: z.string() })
const Deduped = z.object({ status: z.literal('deduped'), session_id: z.uuid().nullable() })

export const FireAnswer = z.union([Fired, Waiting, Skipped]).openapi('TriggerFireAnswer')
export const WebhookAnswer = z.union([Fired, Waiting, Deduped]).openapi('WebhookAnswer')
