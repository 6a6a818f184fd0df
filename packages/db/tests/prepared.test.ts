import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { prepared } from '../src/kit/prepared.ts'
import { createDatabase } from '../src/index.ts'
import { testDatabase } from '../src/testing/index.ts'

test('a connection names the statements that ask for it, once, and no others', async () => {
  const database = await testDatabase()
  const db = createDatabase(database.connection_string, { max: 1 })
  try {
    for (const number of [1, 2]) {
      const { rows } = await sql<{ one: number }>`${prepared} select ${number}::int as one`.execute(db)
      expect(rows).toEqual([{ one: number }])
    }
    await sql`select ${3}::int as two`.execute(db)
    const named = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    expect(named.rows).toEqual([{ statement: '/* prepared */ select $1::int as one' }])
    await expect(sql`${prepared} select 1 / ${0}::int`.execute(db)).rejects.toThrow('division by zero')
  } finally {
    await db.destroy()
    await database.close()
  }
})
