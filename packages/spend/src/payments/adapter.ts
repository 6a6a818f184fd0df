/** A payment as every adapter tells it. */
export type PaymentNews =
  | {
      readonly kind: 'purchase'
      readonly account_id: string
      readonly customer_id: string | null
      readonly amount_micros: number
    }
  | {
      readonly kind: 'subscription'
      readonly subscription_id: string
      /** When the provider made the event: they come in any order. */
      readonly event_at: Date
      /** Null where the event does not name it: the customer does then. */
      readonly account_id: string | null
      readonly customer_id: string
      readonly billing_state: 'active' | 'past_due' | 'canceled'
      /** The plan that is paid for; null where the price names none. */
      readonly tier: string | null
    }

export interface PaymentEvent {
  readonly event_id: string
  /** Null for an event that changes nothing here. */
  readonly news: PaymentNews | null
}

/** A payment provider's way to tell of payments. */
export interface PaymentAdapter {
  readonly name: string
  /** Whether the provider signed these bytes, and just now. */
  verify(raw: Uint8Array, headers: Headers, now: Date): boolean
  /** Throws `invalid_request` for what is no event. */
  read(raw: Uint8Array): PaymentEvent
}
