import type { BaseContext } from '@svc/context'
import { connectorComputers, type ConnectionRow } from '@svc/db'
import { scopeOf } from './place.ts'

/** The computers among these connections that are there now. */
export async function presentComputers(
  { db, now }: Pick<BaseContext, 'db' | 'now'>,
  rows: readonly ConnectionRow[],
): Promise<ReadonlySet<string>> {
  const computers = rows.filter(({ kind }) => kind === 'computer').map(({ connection_id }) => connection_id)
  return new Set((await connectorComputers.findPresent(db, computers, now())).keys())
}

/** A connection, without anything that proves who asks: the names of its fields alone. */
export function presentConnection(row: ConnectionRow, present: ReadonlySet<string>) {
  const { connection_id, label, kind, status, field_names, is_default, created_by, last_error } = row
  return {
    ...{ connection_id, label, scope: scopeOf(row), kind, status, fields: field_names, is_default },
    ...{ created_by, last_error, origin: row.origin },
    online: kind === 'computer' ? present.has(connection_id) : null,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}
