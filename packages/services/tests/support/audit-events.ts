import type { AuditEventRow } from '@svc/db'
import type { World } from '../../src/testing/index.ts'

/** Reads the log of an account, oldest first. */
export function eventsOf({ db }: World) {
  return (account_id: string): Promise<AuditEventRow[]> =>
    db.selectFrom('audit_events').selectAll().where('account_id', '=', account_id).orderBy('seq').execute()
}
