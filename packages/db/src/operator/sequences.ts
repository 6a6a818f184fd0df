import { sql } from 'kysely'
import type { Db } from '../database.ts'

export interface NumberedColumn {
  readonly sequence: string
  readonly table: string
  readonly column: string
}

/** Columns that a sequence of the database fills: identities, and those whose default takes the next value. */
export async function columns(db: Db): Promise<NumberedColumn[]> {
  const { rows } = await sql<NumberedColumn>`
    select s.relname as sequence, t.relname as table, a.attname as column
    from pg_class s join pg_namespace n on n.oid = s.relnamespace and n.nspname = current_schema()
    join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype = 'i'
    join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S'
    union
    select s.relname, t.relname, a.attname
    from pg_attrdef f join pg_class t on t.oid = f.adrelid
    join pg_namespace n on n.oid = t.relnamespace and n.nspname = current_schema()
    join pg_attribute a on a.attrelid = t.oid and a.attnum = f.adnum
    join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = f.oid and d.refclassid = 'pg_class'::regclass
    join pg_class s on s.oid = d.refobjid and s.relkind = 'S'
    order by 1, 2`.execute(db)
  return rows
}

/** The next value that the sequence gives, and the highest that a row of the column has. */
export async function standing(
  db: Db,
  { sequence, table, column }: NumberedColumn,
): Promise<{ readonly counter: number; readonly highest: number }> {
  const { rows } = await sql<{ counter: string; highest: string }>`
    select (select last_value from ${sql.id(sequence)}) as counter,
      (select coalesce(max(${sql.id(column)}), 0) from ${sql.id(table)}) as highest`.execute(db)
  return { counter: Number(rows[0]?.counter ?? 0), highest: Number(rows[0]?.highest ?? 0) }
}

/** Never lowers it: another process may take values meanwhile. */
export async function raise(db: Db, { sequence }: NumberedColumn, to: number): Promise<void> {
  await sql`
    select setval(${sequence}::regclass, greatest(${to}::bigint, (select last_value from ${sql.id(sequence)})))`.execute(
    db,
  )
}
