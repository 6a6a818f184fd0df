import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Every row of every table as text, by table. */
export async function dumpTables(db: Db): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  const texts = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await sql<{
      row: string
    }>`select to_jsonb(t)::text as row from ${sql.raw(name)} t`.execute(db)
    if (rows.length > 0) texts.set(name, rows.map(({ row }) => row).join('\n'))
  }
  return texts
}
