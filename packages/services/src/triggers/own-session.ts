import { triggerFires, type triggers } from '@svc/db'
import type { Trigger } from '@svc/manifest'
import { isModelAvailable, resolveModel } from '@svc/session'
import type { BaseContext } from '../context.ts'
import { capOf } from '../sessions/cap.ts'
import type { Kept } from './webhook-batcher.ts'
import type { FireOutcome } from './start-fire.ts'
import { tellSchedulers } from './tell-schedulers.ts'
import { willFireNow } from './will-fire-now.ts'

/** True when the fire can end in nothing but a new session of its own, whose id can be told before it is there. */
export function opensOwnSession(
  { settings, template_refusal }: Pick<BaseContext, 'settings' | 'template_refusal'>,
  row: triggers.ReceivingTrigger,
  trigger: Trigger,
): boolean {
  const template = row.agent?.template
  const offered = settings.offered_models ?? null
  const { model } = resolveModel({
    session: trigger.model,
    agent: row.agent?.model ?? null,
    project: row.project_model,
    account: row.account_model,
  })
  return (
    trigger.session_mode === 'fresh' &&
    trigger.overlap === 'allow' &&
    row.agent !== null &&
    isModelAvailable(model, { offered, secret_names: [] }) &&
    (template === undefined || (template_refusal?.(template) ?? null) === null)
  )
}

/** Time that a fire without a place leaves to those that were kept before it. */
const behindMs = 1_000

interface Left extends Kept {
  readonly fire_id: string
  readonly planned_session_id: string
  readonly retry_at: Date
}

/** Leaves a fire that opens its own session to a scheduler, and says what the sender is told of it. */
export async function leaveToSchedulers(
  ctx: Pick<BaseContext, 'db' | 'settings' | 'log'>,
  row: triggers.ReceivingTrigger,
  { overlap }: Trigger,
  { live, before, waiting, earlier, ...fire }: Left,
): Promise<FireOutcome> {
  const room = { live: live + before, waiting, cap: capOf(ctx.settings, row) }
  const held = willFireNow({ overlap, ahead: { busy: false, waiting: earlier }, room })
  if (held !== null)
    await triggerFires.putOff(ctx.db, fire.fire_id, new Date(fire.retry_at.getTime() + behindMs))
  tellSchedulers(ctx, row.project_id)
  return held ?? { kind: 'fired', session_id: fire.planned_session_id, jobs: [] }
}
