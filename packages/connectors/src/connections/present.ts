import type { ConnectionRow } from '@svc/db'
import { scopeOf } from './place.ts'

/** A connection, without anything that proves who asks: the names of its fields alone. */
export function presentConnection(row: ConnectionRow) {
  const { connection_id, label, kind, status, field_names, is_default, created_by, last_error } = row
  return {
    ...{ connection_id, label, scope: scopeOf(row), kind, status, fields: field_names, is_default },
    ...{ created_by, last_error, origin: row.origin },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}
