import { type BaseContext, recordAuditFor } from '@svc/context'
import { againIfPassing, calls, type Settled, type Settlement } from '@svc/db'
import { costMicros, type PriceCard, priceIdOf, type Usage } from '@svc/models'
import { keepCard } from './keep-card.ts'

export interface CallToSettle extends Omit<Settlement, 'cost_micros' | 'price_id' | keyof Usage> {
  readonly usage: Usage
  /** The card of the model that answered; null without a price. */
  readonly card: PriceCard | null
  /** It was cut because its hold was used up: it is charged all of that, whatever was counted. */
  readonly used_up?: number
}

/**
 * Ends a call, once: lets go what was held and charges what it cost, in every window and the account's credit. Repeating
 * it changes nothing. After the call was lost it may only lower what that was charged.
 */
export async function settleCall(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>,
  { usage, card, used_up = 0, ...ended }: CallToSettle,
): Promise<Settled> {
  if (card !== null) await keepCard(ctx, card)
  const price = card && {
    cost_micros: Math.max(Number(costMicros(usage, card)), used_up),
    price_id: priceIdOf(card),
  }
  const settlement = { ...ended, ...usage, ...(price ?? { cost_micros: null, price_id: null }) }
  const settled = await againIfPassing(() => calls.settle(ctx.db, settlement))
  if (settled.outcome === 'settled' && settled.overrun_micros > 0)
    await recordOverrun(ctx, ended.call_id, settled)
  return settled
}

/** No overrun is silent: what no budget was charged is in the audit log. */
async function recordOverrun(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>,
  call_id: string,
  { charged_micros, overrun_micros, call }: Extract<Settled, { readonly outcome: 'settled' }>,
): Promise<void> {
  const { account_id, project_id, session_id, token_id } = call
  const asker = {
    actor: { type: 'gateway', id: token_id, on_behalf_of: null },
    session_id,
    request_id: null,
    ip: null,
  } as const
  await recordAuditFor(ctx, ctx.db, asker, {
    account_id,
    project_id,
    session_id,
    action: 'modelCallOverrun',
    target: `projects/${project_id}/gateway/logs/${call_id}`,
    details: { call_id, charged_micros, overrun_micros },
  })
}
