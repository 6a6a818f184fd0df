import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDatabase, type Db } from '../database.ts'
import { runAsAdmin, withDatabase } from './admin.ts'
import './provided.ts'

export interface EmptyDatabase {
  readonly connection_string: string
  readonly db: Db
  close(): Promise<void>
}

/** A database without a table. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const { admin_url } = inject('test_postgres')
  const name = `svc_empty_${randomBytes(8).toString('hex')}`
  await runAsAdmin(admin_url, `create database ${name}`)
  const connection_string = withDatabase(admin_url, name)
  const db = createDatabase(connection_string, { max: 4 })
  return {
    connection_string,
    db,
    async close() {
      await db.destroy()
      await runAsAdmin(admin_url, `drop database if exists ${name} with (force)`)
    },
  }
}
