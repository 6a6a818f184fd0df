import type { AskedCall } from '@svc/db'
import { type CallBounds, costMicros, floorMicros, isFree, priceIdOf, usageOf, wantMicros } from '@svc/models'

/** Columns that follow from the card and the bounds of a call. */
type Priced = 'price_id' | 'lost_micros' | 'want_micros' | 'floor_micros' | 'free' | 'priced'

/** A call that a gateway wants to start: who asks, what for, and what bounds its cost. */
export interface CallToAdmit extends Omit<AskedCall, Priced | 'input_tokens' | 'billed' | 'countable'> {
  /** Its card and its bounds; null for a model without a price. */
  readonly bounds: CallBounds | null
  /** Tokens of the input as they are estimated, not bounded: what is charged if the process dies before its first beat. */
  readonly input_estimate: number
  /** Counts the input at the provider; it is asked only where the bound of the input does not fit. Null where it cannot. */
  readonly countInput: (() => Promise<CallBounds | null>) | null
}

/** The call as `gateway_admit` takes it. */
export function askedCall({
  bounds,
  input_estimate,
  unbounded,
  countInput,
  ...facts
}: CallToAdmit): AskedCall {
  const billed = facts.provider_scope === 'operator'
  const common = { ...facts, input_tokens: input_estimate, billed, countable: countInput !== null }
  if (bounds === null) {
    const nothing = { price_id: null, lost_micros: null, want_micros: null, floor_micros: null }
    return { ...common, ...nothing, free: false, priced: false, unbounded }
  }
  const { card } = bounds
  const lost = costMicros(usageOf({ input_tokens: input_estimate }), card)
  return {
    ...common,
    price_id: priceIdOf(card),
    lost_micros: Number(lost),
    want_micros: Number(wantMicros(bounds)),
    floor_micros: Number(floorMicros(bounds)),
    free: isFree(card),
    priced: true,
    unbounded,
  }
}
