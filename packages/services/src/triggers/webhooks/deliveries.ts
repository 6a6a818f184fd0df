import {
  audited,
  type AuditEntry,
  type Context,
  decodeCursor,
  encodeCursor,
  requireProject,
} from '@svc/context'
import { jsonb, triggerDeliveries, type TriggerDeliveryRow, triggerFires } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { cutUtf8, matchesFilter, renderPrompt, renderSessionKey, webhookPayload } from '@svc/trigger'
import { z } from 'zod'
import { ofTriggers } from '../audit.ts'
import { definitionOf } from '../definition.ts'
import { answerOf, type FireAnswer, firedBy, type FiredBy, ownMs, runOwn } from '../fire-manually.ts'
import { getTriggerRow, type PageInput, type TriggerInput } from '../list.ts'

export const shownBodyBytes = 64 * 1024

const Cursor = z.object({ at: z.coerce.date(), id: z.uuid() })

/** The deliveries to a webhook, newest first: also those that were refused, and why. */
export async function listTriggerDeliveries(ctx: Pick<Context, 'db' | 'principal'>, input: PageInput) {
  const { project_id, slug, limit } = input
  const cursor = input.cursor === undefined ? undefined : decodeCursor(Cursor, input.cursor)
  await requireProject(ctx, project_id, 'project.trigger.read')
  const before = cursor && { received_at: cursor.at, receipt_id: cursor.id }
  const query = { project_id, slug, limit: limit + 1, body_bytes: shownBodyBytes, before }
  const rows = await triggerDeliveries.list(ctx.db, query)
  if (rows.length === 0) await getTriggerRow(ctx, input)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    deliveries: page.map(({ body, ...row }) => ({
      ...row,
      body: body === null ? null : cutUtf8(body, shownBodyBytes).replaceAll('\0', '\ufffd'),
      body_truncated: body !== null && row.body_bytes > shownBodyBytes,
    })),
    next_cursor: last ? encodeCursor({ at: last.received_at, id: last.receipt_id }) : null,
  }
}

/**
 * Fires a delivery again with the trigger as it is now, also while paused: a person asks for it. Its sender was
 * authenticated when it came; a delivery that was refused then stays refused.
 */
export async function redeliverTrigger(
  ctx: AgainContext,
  input: TriggerInput & { readonly receipt_id: string },
): Promise<FireAnswer> {
  const project = await requireProject(ctx, input.project_id, 'project.trigger.fire')
  const entry = ofTriggers('redeliverTrigger', project, `${input.slug}/deliveries/${input.receipt_id}`)
  return fireDelivery(ctx, { ...input, by: firedBy(ctx), replay_of: null, entry })
}

export type AgainContext = Pick<
  Context,
  | 'db'
  | 'principal'
  | 'now'
  | 'newId'
  | 'trail'
  | 'settings'
  | 'maintenance'
  | 'session_models'
  | 'session_connections'
  | 'enqueue'
  | 'log'
  | 'metrics'
>

export interface DeliveryAgain extends TriggerInput {
  readonly receipt_id: string
  readonly by: FiredBy
  /** The ledger row that is repeated by it. */
  readonly replay_of: string | null
  /** The event of what was asked for. */
  readonly entry: AuditEntry
}

export async function fireDelivery(ctx: AgainContext, input: DeliveryAgain): Promise<FireAnswer> {
  const { project_id, slug, by, replay_of, entry } = input
  const delivery = await triggerDeliveries.find(ctx.db, input, input.receipt_id)
  if (!delivery) throw new ServiceError('not_found', 'There is no such delivery; list those of the trigger')
  const { delivery_id, body } = delivery
  if (delivery_id === null || body === null)
    throw new ServiceError(
      'conflict',
      `A delivery that was ${delivery.verdict} cannot be sent again, because its body is not kept; have its sender send it once more`,
    )
  const row = await getTriggerRow(ctx, input)
  const trigger = definitionOf(row)
  if (trigger.type !== 'webhook')
    throw new ServiceError(
      'conflict',
      'The trigger is no webhook any more; send a new delivery once it is one again',
    )
  const now = ctx.now()
  const headers = (name: string) => delivery.headers[name] ?? null
  const payload = webhookPayload({ slug, type: 'webhook', fired_at: now, body, headers })
  if (!matchesFilter(trigger.filter, payload)) return { status: 'skipped', reason: 'filter' }
  const fire_id = ctx.newId()
  const again = {
    ...copied(delivery),
    receipt_id: ctx.newId(),
    received_at: now,
    redelivery_of: input.receipt_id,
  }
  await audited(ctx, { ...entry, details: { fire_id } }, async (tx) => {
    await triggerDeliveries.insert(tx, { ...again, verdict: 'accepted', reason: null })
    return triggerFires.insert(tx, {
      fire_id,
      project_id,
      slug,
      type: 'webhook',
      occurrence: again.receipt_id,
      scheduled_at: now,
      status: 'pending',
      planned_session_id: ctx.newId(),
      prompt: renderPrompt(trigger.prompt, payload, 'webhook'),
      session_key: renderSessionKey(trigger.session_key, payload),
      ...by,
      receipt_id: again.receipt_id,
      delivery_id,
      replay_of,
      retry_at: new Date(now.getTime() + ownMs),
      created_at: now,
    })
  })
  return answerOf(await runOwn(ctx, fire_id))
}

function copied({ project_id, slug, delivery_id, headers, body, body_bytes }: TriggerDeliveryRow) {
  return { project_id, slug, delivery_id, headers: jsonb(headers), body, body_bytes }
}
