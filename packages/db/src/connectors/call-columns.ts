import { sql } from 'kysely'
import type { ConnectorCallRow } from './connectors.table.ts'

/** All columns of a call, by name: for statements that are planned once. */
export const callColumns = [
  ...([
    'call_id',
    'project_id',
    'session_id',
    'slug',
    'action',
    'provider',
    'connection_id',
    'actor',
  ] as const),
  ...(['actor_id', 'door', 'risk', 'rule', 'request_digest', 'idempotency_key', 'status', 'reason'] as const),
  ...([
    'message',
    'settled',
    'upstream_status',
    'bytes_out',
    'bytes_in',
    'ms',
    'attempt_id',
    'fence',
  ] as const),
  ...(['started_at', 'sent_at', 'ended_at', 'sealed_request', 'sealed_result', 'waited_until'] as const),
  ...(['delivery', 'delivery_owed_at', 'delivered_at', 'created_at', 'updated_at'] as const),
] as const satisfies readonly (keyof ConnectorCallRow)[]

export const callColumnsOf = (table: string) =>
  sql.join(callColumns.map((column) => sql.ref(`${table}.${column}`)))
