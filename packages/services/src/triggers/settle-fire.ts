import type { BaseContext } from '@svc/context'
import {
  type Db,
  type ProjectTriggerRow,
  type TriggerFireRow,
  triggerDeliveries,
  triggerFires,
} from '@svc/db'
import { fireMachine } from '@svc/trigger'
import type { FireOutcome } from './start-fire.ts'

/** Time until a fire that waits is looked at again. */
const lookAgainMs = 10_000
/** A fire that found no room for so long is worth nothing any more. */
export const maxWaitMs = 24 * 3_600_000

export type NextSlot = Pick<ProjectTriggerRow, 'next_fire_at' | 'due_at'>

/** Writes the outcome of a fire into the ledger, beside the trigger and into the delivery log. */
export async function settleFire(
  { metrics }: Pick<BaseContext, 'metrics'>,
  tx: Db,
  fire: TriggerFireRow,
  given: FireOutcome,
  /** The instant of the fire, as its prompt says it. */
  now: Date,
  /** The slot that the trigger waits for from now on. */
  slot: NextSlot | null = null,
): Promise<FireOutcome> {
  const outcome = givenUp(fire, given, now)
  const change = changeOf(outcome, now)
  if (!fireMachine.accepts(fire.status, change.event)) return outcome
  await triggerFires.settle(tx, fire, {
    change,
    // The prompt of a slot or a delivery can be rendered again; that of a person or a monitor is nowhere else.
    keeps_prompt: outcome.kind === 'queued' || fire.type === 'manual' || fire.type === 'monitor',
    at: now,
    slot,
  })
  if (change.event !== 'queue')
    metrics.count('svc_trigger_fires_total', { type: fire.type, status: fireMachine.to(change.event) })
  if (fire.receipt_id !== null) await settleDelivery(tx, fire, fire.receipt_id, change)
  return outcome
}

function changeOf(outcome: FireOutcome, now: Date): triggerFires.FireChange {
  switch (outcome.kind) {
    case 'fired':
      return { event: 'fire', session_id: outcome.session_id }
    case 'queued':
      return { event: 'queue', reason: outcome.reason, retry_at: new Date(now.getTime() + lookAgainMs) }
    case 'skipped':
      return { event: 'skip', reason: outcome.reason }
    case 'failed':
      return { event: 'fail', reason: outcome.reason, code: outcome.error?.code }
    case 'missed':
      return { event: 'miss', reason: outcome.reason }
  }
}

function givenUp(fire: TriggerFireRow, outcome: FireOutcome, now: Date): FireOutcome {
  if (outcome.kind !== 'queued' || now.getTime() - fire.created_at.getTime() < maxWaitMs) return outcome
  return { kind: 'failed', reason: `It waited 24 hours (${outcome.reason})` }
}

/** A sender whose delivery failed may send it again. */
async function settleDelivery(
  tx: Db,
  fire: TriggerFireRow,
  receipt_id: string,
  change: triggerFires.FireChange,
): Promise<void> {
  if (change.event !== 'fail' && change.event !== 'skip' && change.event !== 'miss') return
  const event = change.event === 'miss' ? 'skip' : change.event
  await triggerDeliveries.apply(tx, receipt_id, event, change.reason)
  if (change.event === 'fail' && fire.delivery_id !== null)
    await triggerDeliveries.releaseKey(tx, receipt_id, fire, fire.delivery_id)
}
