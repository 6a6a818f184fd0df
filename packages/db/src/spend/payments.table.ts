export interface BillingEventTable {
  adapter: string
  event_id: string
  /** Null for an event that names no account of ours. */
  account_id: string | null
  at: Date
}

export interface BillingCustomerTable {
  adapter: string
  customer_id: string
  account_id: string
  created_at: Date
}

/** A subscription as the newest event says it. */
export interface BillingSubscriptionTable {
  adapter: string
  subscription_id: string
  account_id: string
  billing_state: 'active' | 'past_due' | 'canceled'
  /** The plan that is paid for; null where the price names none. */
  tier: string | null
  /** When the payment provider made that event. */
  event_at: Date
}
