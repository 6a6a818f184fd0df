import type { AskedCall, CallAttempt, CallDialect, ProviderScope } from '@svc/db'
import { type CallBounds, costMicros, floorMicros, isFree, priceIdOf, usageOf, wantMicros } from '@svc/models'

/** A call that a gateway wants to start: who asks, what for, and what bounds its cost. */
export interface CallToAdmit {
  readonly call_id: string
  readonly account_id: string
  readonly project_id: string
  readonly session_id: string | null
  readonly prompt_id: string | null
  readonly trigger_slug: string | null
  readonly agent_name: string | null
  readonly token_id: string
  readonly dialect: CallDialect
  /** The model as the client wrote it. */
  readonly model_asked: string | null
  readonly model: string
  readonly provider: string
  /** The place that the provider is from: the service bills the operator's. */
  readonly provider_scope: ProviderScope
  readonly streamed: boolean
  /** The first try: its row says that a request was sent. */
  readonly attempts: readonly CallAttempt[]
  readonly request_id: string | null
  /** Its card and its bounds; null for a model without a price. */
  readonly bounds: CallBounds | null
  /** Tokens of the input as they are estimated, not bounded: what is charged if the process dies before its first beat. */
  readonly input_estimate: number
  /** A field of the request that no hold covers; null where there is none. */
  readonly unbounded: string | null
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
