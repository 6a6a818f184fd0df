import type { BaseContext } from '@svc/context'
import type { triggers } from '@svc/db'
import type { Trigger } from '@svc/manifest'
import { isModelAvailable, resolveModel } from '@svc/session'
import type { Behind } from './webhook-batcher.ts'
import type { FireOutcome } from '../start-fire.ts'
import { willFireNow } from '../will-fire-now.ts'

/** True when the fire can end in nothing but a new session of its own, whose id can be told before it is there. */
export function opensOwnSession(
  {
    settings,
    template_refusal,
    session_models,
    session_connections,
  }: Pick<BaseContext, 'settings' | 'template_refusal' | 'session_models' | 'session_connections'>,
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
    // The gateway may have a word against it, which is heard where the fire is decided.
    (session_models === undefined || !(row.may_be_refused || (row.has_gateway && model !== 'auto'))) &&
    // So may a connection that is required, or that was chosen for it.
    (session_connections === undefined || !row.may_be_unconnected) &&
    // And so may a harness that is not allowed, or whose licence is not accepted.
    row.agent.harness === undefined &&
    (template === undefined || (template_refusal?.(template) ?? null) === null)
  )
}

/** Time that a fire without a place leaves to those that were kept before it. */
export const behindMs = 1_000

/** The answer to the sender of a fire that opens its own session behind these; null where it may fire. */
export function heldBehind(
  { overlap }: Trigger,
  session_cap: number,
  { live, before, waiting, earlier }: Behind,
): FireOutcome | null {
  const room = { live: live + before, waiting, cap: session_cap }
  return willFireNow({ overlap, ahead: { busy: false, waiting: earlier }, room })
}
