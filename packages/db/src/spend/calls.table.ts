import type { CallStatus, PriceCard } from '@svc/models'
import type { Generated, JSONColumnType, Selectable } from 'kysely'

/** Forms in which a call is asked. */
export const callDialects = ['chat', 'responses', 'messages', 'generate_content', 'embeddings'] as const
export type CallDialect = (typeof callDialects)[number]

/** Places that hold providers, prices and settings. */
export const providerScopes = ['operator', 'account', 'project'] as const
export type ProviderScope = (typeof providerScopes)[number]

/** One try of a call at a provider, as the log shows it. */
export interface CallAttempt {
  readonly model: string
  readonly provider: string
  readonly provider_scope: ProviderScope
  readonly key_id?: string | null
  readonly http_status?: number | null
  readonly code?: string | null
  readonly skipped?: string | null
  readonly duration_ms?: number | null
}

export interface CallTable {
  call_id: string
  at: Date
  account_id: string
  project_id: string
  session_id: string | null
  /** The turn that ran; null between turns. */
  prompt_id: string | null
  trigger_slug: string | null
  agent_name: string | null
  token_id: string
  dialect: CallDialect
  model_asked: string | null
  model: string | null
  provider: string | null
  provider_scope: ProviderScope | null
  status: CallStatus
  /** Its status is one in which money is held. */
  live: boolean
  http_status: number | null
  code: string | null
  streamed: boolean
  finish: string | null
  attempts: JSONColumnType<readonly CallAttempt[]>
  input_tokens: Generated<number>
  output_tokens: Generated<number>
  cache_read_tokens: Generated<number>
  cache_write_tokens: Generated<number>
  cache_write_1h_tokens: Generated<number>
  reasoning_tokens: Generated<number>
  estimated: Generated<boolean>
  /** Charged to its budgets; null for a model without a price. With the overrun it is what tokens and card give. */
  cost_micros: number | null
  /** Charged to the account's credit. */
  billed_micros: Generated<number>
  hold_micros: Generated<number>
  /** Its cost above its hold, which no budget was charged. */
  overrun_micros: Generated<number>
  price_id: string | null
  first_byte_ms: number | null
  duration_ms: number | null
  request_id: string | null
  upstream_request_id: string | null
  /** Null once it has ended. */
  expires_at: Date | null
  /** A blocking budget or credit pays for it: it is charged no more than its hold. */
  bounded: Generated<boolean>
  /** Its charge if its process is heard of no more. */
  lost_micros: number | null
  /** Held of the account's credit; null where none pays. */
  credit_hold_micros: number | null
  markup_percent: Generated<number>
  /** The windows of a call that was lost, for a settle that comes late. */
  charged_windows: JSONColumnType<readonly unknown[] | null>
  /** The budget that had no room for a call that was refused. */
  budget_id: string | null
  /** The room that it needed to begin. */
  floor_micros: number | null
}

export type CallRow = Selectable<CallTable>

export interface PriceCardTable {
  price_id: string
  card: JSONColumnType<PriceCard>
  created_at: Date
}

/** A call whose bodies are kept as an object. */
export interface CallBodyTable {
  call_id: string
  project_id: string
  kept_until: Date
}

export interface KeyLimitTable {
  token_id: string
  requests_per_minute: number | null
  tokens_per_minute: number | null
  concurrency: number | null
  /** Globs; null for every model. */
  models: string[] | null
}

/** The sums of the calls of a day that are kept no more. */
export interface SpendDayTable {
  day: string
  account_id: string
  project_id: string
  session_id: string | null
  trigger_slug: string | null
  agent_name: string | null
  token_id: string
  model: string | null
  provider: string | null
  calls: number
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  cache_write_tokens: number
  unpriced_calls: number
  cost_micros: number
  billed_micros: number
}
