import { sql } from 'kysely'
import type { CallRow } from './calls.table.ts'
import type { Db } from '../database.ts'

/** Columns for people; admission and settlement alone read the others. */
const shown = [
  ...(['call_id', 'at', 'account_id', 'project_id', 'session_id', 'prompt_id', 'trigger_slug'] as const),
  ...(['agent_name', 'token_id', 'dialect', 'model_asked', 'model', 'provider', 'provider_scope'] as const),
  ...(['status', 'http_status', 'code', 'streamed', 'finish', 'attempts', 'input_tokens'] as const),
  ...(['output_tokens', 'cache_read_tokens', 'cache_write_tokens', 'cache_write_1h_tokens'] as const),
  ...(['reasoning_tokens', 'estimated', 'cost_micros', 'billed_micros', 'markup_percent'] as const),
  ...(['hold_micros', 'overrun_micros', 'price_id', 'budget_id', 'first_byte_ms', 'duration_ms'] as const),
  ...(['request_id', 'upstream_request_id', 'expires_at'] as const),
] as const

/** A call as the log shows it. */
export type LoggedCall = Pick<CallRow, (typeof shown)[number]>

export interface CallFilter {
  readonly session_id?: string | undefined
  readonly agent?: string | undefined
  readonly model?: string | undefined
  readonly status?: CallRow['status'] | undefined
  readonly code?: string | undefined
  readonly token_id?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

export interface CallPosition {
  readonly at: Date
  readonly call_id: string
}

const columns = {
  session_id: 'session_id',
  agent: 'agent_name',
  model: 'model',
  status: 'status',
  code: 'code',
  token_id: 'token_id',
} as const

/** Calls of a project, the newest first. */
export async function list(
  db: Db,
  project_id: string,
  {
    after,
    limit,
    since,
    until,
    ...equal
  }: CallFilter & { readonly after?: CallPosition | undefined; readonly limit: number },
): Promise<LoggedCall[]> {
  let query = db.selectFrom('gateway_calls').select(shown).where('project_id', '=', project_id)
  for (const [name, column] of Object.entries(columns)) {
    const value = equal[name as keyof typeof columns]
    if (value !== undefined) query = query.where(column, '=', value)
  }
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  if (after !== undefined)
    query = query.where(sql<boolean>`(at, call_id) < (${after.at}, ${after.call_id}::uuid)`)
  return query.orderBy('at', 'desc').orderBy('call_id', 'desc').limit(limit).execute()
}

export async function find(db: Db, project_id: string, call_id: string): Promise<LoggedCall | undefined> {
  return db
    .selectFrom('gateway_calls')
    .select(shown)
    .where('project_id', '=', project_id)
    .where('call_id', '=', call_id)
    .executeTakeFirst()
}
