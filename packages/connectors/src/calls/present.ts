import type { ConnectorCallRow } from '@svc/db'

/** A row of the ledger: neither arguments nor results are in it. */
export function presentCall(row: ConnectorCallRow) {
  const { call_id, slug, action, provider, actor, session_id, door, risk, rule, status, reason } = row
  const { request_digest, upstream_status, ms, bytes_in, bytes_out, connection_id, settled } = row
  return {
    ...{ call_id, connector: slug, action, provider, actor, session_id, door, risk, rule, status, reason },
    ...{ request_digest, upstream_status, ms, bytes_in, bytes_out, connection_id, settled },
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    sent_at: row.sent_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    delivery: row.delivery,
    delivered_at: row.delivered_at?.toISOString() ?? null,
  }
}
