import { triggerDeliveries, type triggers } from '@svc/db'
import { ServiceError } from '@svc/errors'
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
import type { BaseContext } from '../context.ts'
import { definitionOf } from './definition.ts'
import { type FireAnswer, ownMs, runOwn } from './fire-manually.ts'
import { webhookBatcherOf } from './webhook-batcher.ts'
import { loggedHeaders } from './logged-headers.ts'
import { openKnown } from './opened-secrets.ts'
import { leaveToSchedulers, opensOwnSession } from './own-session.ts'
import type { FireContext } from './run-fire.ts'

export const webhookBodyBytes = 1024 * 1024

/** Names are asked for and listed in lower case. */
export interface DeliveredHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null
}

export interface WebhookInput {
  readonly project_id: string
  readonly slug: string
  readonly headers: DeliveredHeaders
  /** Reads the body; `whole` is false when it went on beyond what is read. */
  readonly body: () => Promise<{ readonly bytes: Uint8Array; readonly whole: boolean }>
}

export type WebhookAnswer = FireAnswer | { readonly status: 'deduped'; readonly session_id: string | null }

type ReceiveContext = FireContext & Pick<BaseContext, 'vault'>
type Receiving = triggers.ReceivingTrigger

/**
 * A delivery from outside, step by step: the address, the secret, its sender, its size, then whether it is wanted,
 * new, and the fire. It is kept before the sender is told so; what the sender was told happens, whatever dies
 * afterwards.
 */
export async function receiveWebhook(ctx: ReceiveContext, input: WebhookInput): Promise<WebhookAnswer> {
  const row = await webhookBatcherOf(ctx.db).find(input)
  if (!row) throw new ServiceError('not_found', 'There is no such webhook')
  const secrets = secretsOf(ctx, row)
  const headers: HeaderLookup = (name) => input.headers.get(name)
  const { bytes, whole } = await input.body()
  const verdict = judgeWebhook({ headers, body: bytes }, secrets, ctx.now())
  const came = { row, input, headers, bytes }
  if (verdict.kind === 'refused') {
    // A signature over a body that was not read to its end cannot be judged, and need not be.
    if (!whole && headers('x-svc-signature') !== null) throw tooLarge()
    if (!whole && (headers('x-hub-signature-256') ?? headers('webhook-signature')) !== null) throw tooLarge()
    await logRefused(ctx, came, verdict.reason)
    throw new ServiceError('unauthorized', 'The signature or the token is missing or wrong')
  }
  if (!whole || bytes.length > webhookBodyBytes) throw tooLarge()

  const trigger = definitionOf(row)
  const payload = payloadOf(ctx, came)
  const delivery_id = deliveryId({ headers, body: bytes }, verdict, ctx.newId())
  if (row.paused) return skip(ctx, came, delivery_id, 'paused')
  if (!matchesFilter(trigger.filter, payload)) return skip(ctx, came, delivery_id, 'filter')
  return accept(ctx, came, { trigger, payload, delivery_id })
}

interface Came {
  readonly row: Receiving
  readonly input: WebhookInput
  readonly headers: HeaderLookup
  readonly bytes: Uint8Array
}

function tooLarge(): ServiceError {
  return new ServiceError('payload_too_large', `The body is larger than ${webhookBodyBytes} bytes`)
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
  if (!current) throw new ServiceError('conflict', `The secret ${name} of this webhook is not set`)
  return [current, ...values.filter((secret) => secret.name !== name).map((secret) => secret.value)]
}

function payloadOf(ctx: Pick<BaseContext, 'now'>, { row, headers, bytes }: Came): Payload {
  return webhookPayload({ slug: row.slug, type: 'webhook', fired_at: ctx.now(), body: bytes, headers })
}

const refusedKeptMs = 3_600_000
const refusedKept = 100

async function logRefused(ctx: ReceiveContext, { row, input, bytes }: Came, reason: string): Promise<void> {
  const now = ctx.now()
  const { project_id, slug } = row
  const delivery = {
    receipt_id: ctx.newId(),
    project_id,
    slug,
    delivery_id: null,
    received_at: now,
    headers: loggedHeaders(input.headers),
    body: null,
    body_bytes: bytes.length,
    verdict: 'refused' as const,
    reason,
    redelivery_of: null,
  }
  await triggerDeliveries.insertRefused(
    ctx.db,
    delivery,
    new Date(now.getTime() - refusedKeptMs),
    refusedKept,
  )
}

/** Keeps a delivery that is not wanted, and its fire, without a session. */
async function skip(
  ctx: ReceiveContext,
  came: Came,
  delivery_id: string,
  reason: 'paused' | 'filter',
): Promise<WebhookAnswer> {
  const delivery = { ...deliveryRow(ctx, came, delivery_id), verdict: 'skipped', reason } as const
  await webhookBatcherOf(ctx.db).close({ delivery, fire: firstIds(ctx) })
  return { status: 'skipped', reason }
}

function deliveryRow(
  ctx: Pick<BaseContext, 'now' | 'newId'>,
  { row, input, bytes }: Came,
  delivery_id: string,
) {
  return {
    receipt_id: ctx.newId(),
    project_id: row.project_id,
    slug: row.slug,
    delivery_id,
    received_at: ctx.now(),
    headers: loggedHeaders(input.headers),
    body: asBuffer(bytes),
    body_bytes: bytes.length,
    redelivery_of: null,
  }
}

function firstIds({ newId }: Pick<BaseContext, 'newId'>) {
  return { fire_id: newId(), planned_session_id: newId() }
}

/** The same bytes, not a copy of them. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

interface Accepted {
  readonly trigger: Trigger
  readonly payload: Payload
  readonly delivery_id: string
}

async function accept(ctx: ReceiveContext, came: Came, accepted: Accepted): Promise<WebhookAnswer> {
  const { trigger, payload, delivery_id } = accepted
  const delivery = { ...deliveryRow(ctx, came, delivery_id), verdict: 'accepted', reason: null } as const
  const { received_at } = delivery
  const opens_own = opensOwnSession(ctx, came.row, trigger)
  const fire = {
    ...firstIds(ctx),
    prompt: renderPrompt(trigger.prompt, payload, 'webhook'),
    session_key: renderSessionKey(trigger.session_key, payload),
    status: 'pending' as const,
    reason: null,
    // A fire that opens its own session is a scheduler's at once; the rest are decided here, for the answer.
    retry_at: opens_own ? received_at : new Date(received_at.getTime() + ownMs),
  }
  const fresh_since = new Date(received_at.getTime() - repeatWindowMs)
  const kept = await webhookBatcherOf(ctx.db).keep({ delivery, fire, fresh_since })
  if (kept === null) return repeat(ctx, came, accepted)
  const outcome = opens_own
    ? await leaveToSchedulers(ctx, came.row, trigger, { ...kept, ...fire })
    : await runOwn(ctx, fire.fire_id)
  switch (outcome.kind) {
    case 'fired':
      return { status: 'fired', session_id: outcome.session_id }
    case 'queued':
    case 'skipped':
      return { status: outcome.kind, reason: outcome.reason }
    case 'failed':
      throw new ServiceError(
        'trigger_fire_failed',
        'The trigger could not start its session; its owner sees why',
      )
  }
}

/** The same delivery again: the ledger says so, and the answer names the session of the first. */
async function repeat(ctx: ReceiveContext, came: Came, { delivery_id }: Accepted): Promise<WebhookAnswer> {
  const row = deliveryRow(ctx, came, delivery_id)
  const delivery = { ...row, body: null, verdict: 'deduped', reason: 'repeat' } as const
  return {
    status: 'deduped',
    session_id: await webhookBatcherOf(ctx.db).close({ delivery, fire: firstIds(ctx) }),
  }
}
