import { type BaseContext, startsAreOpen, suspended } from '@svc/context'
import type { triggers } from '@svc/db'
import { ServiceError, statusOf } from '@svc/errors'
import {
  deliveryId,
  type HeaderLookup,
  judgeWebhook,
  matchesFilter,
  type Payload,
  renderPrompt,
  renderSessionKey,
  repeatWindowMs,
  webhookPayload,
} from '@svc/trigger'
import type { Trigger } from '@svc/manifest'
import { capOf } from '../../sessions/creation/cap.ts'
import { definitionOf } from '../definition.ts'
import { type FireAnswer, ownMs, runOwn } from '../fire-manually.ts'
import { webhookBatcherOf } from './webhook-batcher.ts'
import {
  deliveryRow,
  firstIds,
  type IncomingDelivery,
  logRefused,
  type WebhookInput,
} from './delivery-row.ts'
import { openKnown } from './opened-secrets.ts'
import { behindMs, heldBehind, opensOwnSession } from './own-session.ts'
import type { FireContext } from '../run-fire.ts'
import type { FireOutcome } from '../start-fire.ts'
import { maintained } from '../will-fire-now.ts'
import { notifySchedulers } from '../notify-schedulers.ts'

export const webhookBodyBytes = 1024 * 1024

export type WebhookAnswer = FireAnswer | { readonly status: 'deduped'; readonly session_id: string | null }

type ReceiveContext = FireContext & Pick<BaseContext, 'vault'>
type Receiving = triggers.ReceivingTrigger

/**
 * A delivery from outside, step by step: the address, the secret, its sender, its size, then whether it is wanted,
 * new, and the fire. It is kept before the sender is told so; what the sender was told happens, whatever dies
 * afterwards.
 */
export async function receiveWebhook(ctx: ReceiveContext, input: WebhookInput): Promise<WebhookAnswer> {
  try {
    const answer = await receive(ctx, input)
    ctx.metrics.count('svc_webhook_deliveries_total', { outcome: answer.status })
    return answer
  } catch (error) {
    ctx.metrics.count('svc_webhook_deliveries_total', { outcome: refusedAs(error) })
    throw error
  }
}

function refusedAs(error: unknown): 'refused' | 'failed' {
  return error instanceof ServiceError && statusOf(error.code) < 500 ? 'refused' : 'failed'
}

async function receive(ctx: ReceiveContext, input: WebhookInput): Promise<WebhookAnswer> {
  const { project_id, slug } = input
  const session_cap = ctx.settings.session_cap ?? null
  const row = await webhookBatcherOf(ctx.db).find({ project_id, slug, session_cap })
  if (!row)
    throw new ServiceError(
      'not_found',
      'There is no such webhook; check its address, and that the default branch has its trigger',
    )
  const secrets = secretsOf(ctx, row)
  const headers: HeaderLookup = (name) => input.headers.get(name)
  const { bytes, whole } = await input.body()
  const verdict = judgeWebhook({ headers, body: bytes }, secrets, ctx.now())
  const incoming = { row, input, headers, bytes }
  if (verdict.kind === 'refused') {
    // A signature over a body that was not read to its end cannot be judged, and need not be.
    if (!whole && headers('x-svc-signature') !== null) throw tooLarge()
    if (!whole && (headers('x-hub-signature-256') ?? headers('webhook-signature')) !== null) throw tooLarge()
    await logRefused(ctx, incoming, verdict.reason)
    throw new ServiceError(
      'unauthorized',
      'The signature or the token is missing or wrong; sign with the secret that the trigger names',
    )
  }
  if (!whole || bytes.length > webhookBodyBytes) throw tooLarge()

  if (row.suspended_at !== null) throw suspended(row)
  const trigger = definitionOf(row)
  const payload = payloadOf(ctx, incoming)
  const delivery_id = deliveryId({ headers, body: bytes }, verdict, ctx.newId())
  if (row.paused) return skip(ctx, incoming, delivery_id, 'paused')
  if (!matchesFilter(trigger.filter, payload)) return skip(ctx, incoming, delivery_id, 'filter')
  return accept(ctx, incoming, { trigger, payload, delivery_id })
}

function tooLarge(): ServiceError {
  return new ServiceError(
    'payload_too_large',
    `The body is larger than ${webhookBodyBytes} bytes; send a smaller one`,
  )
}

/** The secret in force and, during a rotation, the one before it. */
function secretsOf(ctx: Pick<BaseContext, 'vault'>, row: Receiving): string[] {
  const trigger = definitionOf(row)
  const name = trigger.type === 'webhook' ? trigger.secret_env : ''
  const values = row.secrets.map((secret) => ({
    name: secret.name,
    value: openKnown(ctx.vault, row, secret.name, secret.sealed_value),
  }))
  const current = values.find((secret) => secret.name === name)?.value
  if (!current)
    throw new ServiceError(
      'conflict',
      `The secret ${name} of this webhook is not set; set it in the project first`,
    )
  return [current, ...values.filter((secret) => secret.name !== name).map((secret) => secret.value)]
}

function payloadOf(ctx: Pick<BaseContext, 'now'>, { row, headers, bytes }: IncomingDelivery): Payload {
  return webhookPayload({ slug: row.slug, type: 'webhook', fired_at: ctx.now(), body: bytes, headers })
}

/** Keeps a delivery that is not wanted, and its fire, without a session. */
async function skip(
  ctx: ReceiveContext,
  incoming: IncomingDelivery,
  delivery_id: string,
  reason: 'paused' | 'filter',
): Promise<WebhookAnswer> {
  const delivery = { ...deliveryRow(ctx, incoming), delivery_id, verdict: 'skipped', reason } as const
  await webhookBatcherOf(ctx.db).close({ delivery, fire: firstIds(ctx) })
  return { status: 'skipped', reason }
}

interface Accepted {
  readonly trigger: Trigger
  readonly payload: Payload
  readonly delivery_id: string
}

async function accept(
  ctx: ReceiveContext,
  incoming: IncomingDelivery,
  accepted: Accepted,
): Promise<WebhookAnswer> {
  const { trigger, payload } = accepted
  const input = {
    accepted,
    prompt: renderPrompt(trigger.prompt, payload, 'webhook'),
    session_key: renderSessionKey(trigger.session_key, payload),
  }
  const outcome = await (opensOwnSession(ctx, incoming.row, trigger) ? leave : decide)(ctx, incoming, input)
  switch (outcome?.kind) {
    case undefined:
      return repeat(ctx, incoming, accepted)
    case 'fired':
      return { status: 'fired', session_id: outcome.session_id }
    case 'queued':
    case 'skipped':
      return { status: outcome.kind, reason: outcome.reason }
    case 'failed':
    case 'missed':
      throw new ServiceError(
        'trigger_fire_failed',
        'The trigger could not start its session; its owner sees why',
      )
  }
}

interface Firing {
  readonly accepted: Accepted
  readonly prompt: string
  readonly session_key: string
}

/**
 * Leaves a fire that opens its own session to a scheduler, and says what the sender is told of it. Where the account was
 * full before it came, nothing more need be counted: one that is told queued may still fire at once. Null for a repeat.
 */
async function leave(
  ctx: ReceiveContext,
  incoming: IncomingDelivery,
  firing: Firing,
): Promise<FireOutcome | null> {
  const { row } = incoming
  const { trigger } = firing.accepted
  const batcher = webhookBatcherOf(ctx.db)
  const cap = capOf(ctx.settings, row)
  const open = startsAreOpen(ctx)
  const held = open ? heldBehind(trigger, cap, { ...row, before: row.pending }) : maintained
  const received = receivedOf(ctx, incoming, firing, held === null ? 0 : behindMs)
  const kept = await batcher.keep({ ...received, count_to: held === null ? cap : null })
  if (kept === null) return null
  const { fire_id, planned_session_id, retry_at } = received.fire
  const answer = kept.behind === null ? held : heldBehind(trigger, cap, kept.behind)
  if (answer !== null && held === null)
    await batcher.putOff({ fire_id, retry_at: new Date(retry_at.getTime() + behindMs) })
  notifySchedulers(ctx, row.project_id)
  return answer ?? { kind: 'fired', session_id: planned_session_id, jobs: [] }
}

/** Decides here about a fire that may go on with a session, for the answer; a scheduler does where this process dies. */
async function decide(
  ctx: ReceiveContext,
  incoming: IncomingDelivery,
  firing: Firing,
): Promise<FireOutcome | null> {
  const received = receivedOf(ctx, incoming, firing, ownMs)
  const kept = await webhookBatcherOf(ctx.db).keep({ ...received, count_to: null })
  return kept === null ? null : runOwn(ctx, received.fire.fire_id)
}

/** The delivery with its fire, which a scheduler takes after `ms`. */
function receivedOf(
  ctx: ReceiveContext,
  incoming: IncomingDelivery,
  { accepted, ...fire }: Firing,
  ms: number,
) {
  const delivery = {
    ...deliveryRow(ctx, incoming),
    delivery_id: accepted.delivery_id,
    verdict: 'accepted',
    reason: null,
  } as const
  const at = delivery.received_at.getTime()
  return {
    delivery,
    fire: {
      ...firstIds(ctx),
      ...fire,
      status: 'pending',
      reason: null,
      retry_at: new Date(at + ms),
    } as const,
    fresh_since: new Date(at - repeatWindowMs),
  }
}

/** The same delivery again: the ledger says so, and the answer names the session of the first. */
async function repeat(
  ctx: ReceiveContext,
  incoming: IncomingDelivery,
  { delivery_id }: Accepted,
): Promise<WebhookAnswer> {
  const row = deliveryRow(ctx, incoming)
  const delivery = { ...row, delivery_id, body: null, verdict: 'deduped', reason: 'repeat' } as const
  return {
    status: 'deduped',
    session_id: await webhookBatcherOf(ctx.db).close({ delivery, fire: firstIds(ctx) }),
  }
}
