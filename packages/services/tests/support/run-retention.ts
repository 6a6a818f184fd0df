import { randomUUID } from 'node:crypto'
import { createDatabase } from '@svc/db'
import { sweepOldRecords } from '../../src/index.ts'

/** The sweep of old records in a process of its own, at the moment that its caller says. */
const [connection_string = '', now = ''] = process.argv.slice(2)
const db = createDatabase(connection_string)
const settings = {
  SVC_AUDIT_DAYS: 0,
  SVC_SECRET_ACCESS_DAYS: 0,
  SVC_DELETED_SESSION_DAYS: 30,
  SVC_WORK_HISTORY_DAYS: 30,
}
await sweepOldRecords({ db, locks: db, now: () => new Date(now), newId: randomUUID }, settings)
await db.destroy()
