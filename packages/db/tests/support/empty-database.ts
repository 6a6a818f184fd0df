import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDatabase, type Db } from '../../src/database.ts'
import { runAsAdmin, withDatabase } from '../../src/testing/admin.ts'
import '../../src/testing/provided.ts'

export interface EmptyDatabase {
  readonly url: string
  readonly db: Db
  close(): Promise<void>
}

/** A database without a table. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const { admin_url } = inject('test_postgres')
  const name = `svc_empty_${randomBytes(8).toString('hex')}`
  await runAsAdmin(admin_url, `create database ${name}`)
  const url = withDatabase(admin_url, name)
  const db = createDatabase(url, { max: 4 })
  return {
    url,
    db,
    async close() {
      await db.destroy()
      await runAsAdmin(admin_url, `drop database if exists ${name} with (force)`)
    },
  }
}
