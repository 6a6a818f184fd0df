import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { testDatabase } from '../src/testing/index.ts'

test('each test file gets a migrated database of its own, and leaves none behind', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()])
  const tables = sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  expect((await tables.execute(one.db)).rows.map(({ name }) => name)).toContain('kysely_migration')
  await sql`create table only_here (n int)`.execute(one.db)
  expect((await tables.execute(other.db)).rows.map(({ name }) => name)).not.toContain('only_here')

  const name = new URL(one.connection_string).pathname.slice(1)
  await one.close()
  const left = await sql`select from pg_database where datname = ${name}`.execute(other.db)
  expect(left.rows).toHaveLength(0)
  await other.close()
  expect(inject('test_postgres').template).toMatch(/^svc_template_/)
})
