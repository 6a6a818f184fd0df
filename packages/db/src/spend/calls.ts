import type { BillingState, BudgetLevel, BudgetPeriod } from '@svc/facts'
import { type CallStatus, callMachine, type Usage } from '@svc/models'
import { sql } from 'kysely'
import type { CallAttempt, CallDialect, CallRow, ProviderScope } from './calls.table.ts'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import { prepared } from '../kit/prepared.ts'

/** A call that asks to be admitted, and how it is to be paid. */
export interface AskedCall {
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
  readonly price_id: string | null
  /** Tokens of the input as estimated, and their price: what it is charged if its process dies before the first beat. */
  readonly input_tokens: number
  readonly lost_micros: number | null
  readonly want_micros: number | null
  readonly floor_micros: number | null
  /** Its card is zero. */
  readonly free: boolean
  readonly priced: boolean
  /** A field of the request that no hold covers; null where there is none. */
  readonly unbounded: string | null
  /** The service bills it: its provider is the operator's. */
  readonly billed: boolean
  /** Its provider can count its input: a refusal for want of money leaves no row, and the call is asked again. */
  readonly countable: boolean
}

export interface Granted {
  readonly outcome: 'granted'
  readonly granted_micros: number
  readonly bounded: boolean
  readonly at: string
  readonly expires_at: string
}

/** The budget that a call does not fit into. */
export interface BudgetExceeded {
  readonly budget: {
    readonly budget_id: string
    readonly name: string
    readonly level: BudgetLevel
    readonly subject: string | null
    readonly period: BudgetPeriod
  }
  readonly cap_micros: number
  readonly spent_micros: number
  readonly held_micros: number
  readonly resets_at: string | null
}

interface Billing {
  readonly billing_state: BillingState | 'none'
  readonly balance: number | null
  readonly account_id: string
}

export type Refused = {
  readonly outcome: 'refused'
  /** It left no row: the same call is asked again with the provider's count of its input. */
  readonly countable?: true
} & (
  | ({ readonly code: 'subscription_required' | 'no_account' | 'insufficient_credits' } & Billing)
  /** `free_at`: when running calls end, where what they hold is all that stands between. */
  | ({ readonly code: 'budget_exceeded'; readonly free_at: string | null } & BudgetExceeded)
  | { readonly code: 'cost_not_bounded'; readonly field: string }
  | { readonly code: 'model_unpriced'; readonly model: string }
  | {
      readonly code: 'rate_limit_exceeded'
      readonly limited: 'requests_per_minute' | 'tokens_per_minute' | 'concurrency'
      readonly limit: number
      readonly free_at: string
    }
)

export type CallAdmission = Granted | Refused

/** Sets aside what the call may cost, or refuses it: all or nothing. */
export async function admit(db: Db, asked: AskedCall): Promise<CallAdmission> {
  const { rows } = await sql<{ admission: CallAdmission }>`${prepared}
    select gateway_admit(${jsonb(asked)}::jsonb) as admission`.execute(db)
  return only(rows).admission
}

/** The verdict of an admission at this moment; nothing of it is kept. */
export async function wouldAdmit(db: Db, asked: AskedCall): Promise<CallAdmission> {
  const { rows } = await sql<{ admission: CallAdmission }>`${prepared}
    select gateway_would_admit(${jsonb(asked)}::jsonb) as admission`.execute(db)
  return only(rows).admission
}

/** The end of a call. What is absent stays as it was when it was admitted. */
export interface Settlement extends Partial<Usage> {
  readonly call_id: string
  readonly event: 'finish' | 'fail' | 'cut'
  /** Cost of its tokens by its card; null without a price. */
  readonly cost_micros: number | null
  readonly estimated: boolean
  readonly http_status: number
  readonly code?: string | null
  readonly finish?: string | null
  readonly attempts?: readonly CallAttempt[]
  readonly model?: string
  readonly provider?: string
  readonly provider_scope?: ProviderScope
  readonly price_id?: string | null
  readonly first_byte_ms?: number | null
  readonly duration_ms?: number
  readonly upstream_request_id?: string | null
}

export interface CrossedThreshold {
  readonly budget_id: string
  readonly subject: string
  readonly window_start: string
  readonly threshold: number
  readonly spent_micros: number
  readonly cap_micros: number
}

export type Settled =
  | {
      readonly outcome: 'settled'
      readonly charged_micros: number | null
      readonly billed_micros: number
      readonly overrun_micros: number
      readonly alerts: readonly CrossedThreshold[]
      readonly call: Pick<CallRow, 'account_id' | 'project_id' | 'session_id' | 'token_id'>
    }
  /** It had expired: what it was charged then may have been lowered. */
  | { readonly outcome: 'lost'; readonly lowered: boolean }
  | { readonly outcome: 'ended'; readonly status: CallStatus }
  | { readonly outcome: 'unknown' }

/** Ends the call, once. */
export async function settle(db: Db, { event, ...facts }: Settlement): Promise<Settled> {
  const settlement = { ...facts, status: callMachine.to(event) }
  const { rows } = await sql<{ settled: Settled }>`${prepared}
    select gateway_settle(${jsonb(settlement)}::jsonb) as settled`.execute(db)
  return only(rows).settled
}

/** Facts of a call that its process knows. */
export interface Beat {
  readonly call_id: string
  readonly first_byte_ms: number | null
  /** Tokens and price that it is charged if this is the last beat. */
  readonly input_tokens: number
  readonly output_tokens: number
  readonly lost_micros: number | null
}

/** Renews calls for as long as a lease lasts; gives those that are still theirs. One that expired stays so. */
export async function renew(db: Db, beats: readonly Beat[], lease_ms: number): Promise<string[]> {
  const { rows } = await sql<{ call_id: string }>`${prepared}
    with reported as (
      select * from jsonb_to_recordset(${jsonb(beats)}::jsonb) as b (call_id uuid, first_byte_ms integer,
        input_tokens bigint, output_tokens bigint, lost_micros bigint)
    ), mine as (
      select c.call_id from gateway_calls c where c.call_id in (select call_id from reported)
        and c.live and c.expires_at > clock_timestamp()
      order by c.call_id for no key update
    ),
    began as (
      update gateway_calls c set status = ${callMachine.to('first_byte')}, ${beaten(lease_ms)}
      from reported t join mine using (call_id) where c.call_id = t.call_id and t.first_byte_ms is not null
      returning c.call_id
    ), waits as (
      update gateway_calls c set ${beaten(lease_ms)}
      from reported t join mine using (call_id) where c.call_id = t.call_id and t.first_byte_ms is null
      returning c.call_id
    )
    select call_id from began union all select call_id from waits`.execute(db)
  return rows.map(({ call_id }) => call_id)
}

/** The columns that a beat writes. */
const beaten = (lease_ms: number) => sql`
  expires_at = clock_timestamp() + make_interval(secs => ${lease_ms}::float8 / 1000), first_byte_ms = t.first_byte_ms,
  input_tokens = t.input_tokens, output_tokens = t.output_tokens, lost_micros = t.lost_micros`

/** Accounts with a call whose process is heard of no more. */
export async function accountsWithExpired(db: Db): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from gateway_calls where live and expires_at <= clock_timestamp()`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** Ends every expired call of an account as lost; how many. */
export async function sweep(db: Db, account_id: string): Promise<number> {
  const { rows } = await sql<{ swept: number }>`
    select gateway_sweep(${account_id}::uuid) as swept`.execute(db)
  return only(rows).swept
}

/** The row of a call; those of one project alone are found. */
export async function find(
  db: Db,
  key: { project_id: string; call_id: string },
): Promise<CallRow | undefined> {
  return db
    .selectFrom('gateway_calls')
    .selectAll()
    .where('project_id', '=', key.project_id)
    .where('call_id', '=', key.call_id)
    .executeTakeFirst()
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A function gives one row')
  return row
}
