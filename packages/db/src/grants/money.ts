import type { Database } from '../database.ts'
import type { ServiceGrants } from './services.ts'

type MoneyTable = Extract<keyof Database, `${'gateway' | 'credit' | 'billing'}_${string}`>

/** Rights on the tables of the model gateway and of money. */
export const moneyGrants: Readonly<Record<MoneyTable, ServiceGrants>> = {
  gateway_providers: { api: 'rawd', scheduler: 'r', sandbox: 'r', gateway: 'rawd', channel: 'r' },
  gateway_provider_keys: { api: 'rawd', gateway: 'rawd' },
  gateway_provider_lists: { api: 'r', gateway: 'raw' },
  gateway_breakers: { api: 'r', scheduler: 'r', gateway: 'rawd', channel: 'r' },
  gateway_settings: { api: 'raw', scheduler: 'r', sandbox: 'r', gateway: 'raw', channel: 'r' },
  gateway_prices: { api: 'rawd', scheduler: 'r', sandbox: 'r', gateway: 'r', channel: 'r' },
  gateway_price_cards: { api: 'ra', scheduler: 'r', gateway: 'ra' },
  gateway_calls: { api: 'r', scheduler: 'rwd', gateway: 'raw' },
  gateway_call_bodies: { api: 'r', scheduler: 'rd', gateway: 'a' },
  gateway_spend_days: { api: 'r', scheduler: 'raw' },
  gateway_key_limits: { api: 'rawd', gateway: 'rl' },
  gateway_budgets: { api: 'rawd', scheduler: 'r', gateway: 'r', channel: 'r' },
  gateway_budget_windows: { api: 'rawd', scheduler: 'rwd', gateway: 'raw', channel: 'r' },
  gateway_holds: { api: 'r', scheduler: 'rd', gateway: 'rad', channel: 'r' },
  gateway_budget_alerts: { api: 'r', scheduler: 'raw', gateway: 'raw' },
  credit_accounts: { api: 'raw', scheduler: 'rw', gateway: 'rw', app: 'r', proxy: 'r', channel: 'r' },
  credit_ledger: { api: 'ra', scheduler: 'raw', gateway: 'raw' },
  billing_events: { api: 'ra' },
  billing_customers: { api: 'ra' },
  billing_subscriptions: { api: 'raw' },
}
