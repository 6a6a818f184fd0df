import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDatabase, type Db } from '../database.ts'
import { runAsAdmin, withDatabase } from './admin.ts'
import './provided.ts'

export interface TestDatabase {
  readonly connection_string: string
  readonly db: Db
  /** Cuts what is still connected and drops the database. */
  close(): Promise<void>
}

/** A fresh database with every migration applied, for one test file. */
export async function testDatabase(): Promise<TestDatabase> {
  const { admin_url, template } = inject('test_postgres')
  const name = `svc_test_${randomBytes(8).toString('hex')}`
  // Copied as files: by way of the log, which is the default, a clone costs about three times as much.
  await runAsAdmin(admin_url, `create database ${name} template ${template} strategy file_copy`)
  const connection_string = withDatabase(admin_url, name)
  const db = createDatabase(connection_string)
  return {
    connection_string,
    db,
    async close() {
      await db.destroy()
      await runAsAdmin(admin_url, `drop database if exists ${name} with (force)`)
    },
  }
}
