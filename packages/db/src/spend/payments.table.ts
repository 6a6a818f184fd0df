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
