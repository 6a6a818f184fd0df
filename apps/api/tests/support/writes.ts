import type { Db } from '@svc/db'
import { sql } from 'kysely'

export interface Write {
  /** The transaction that committed it. */
  readonly xid: string
  readonly table: string
}

/** Notes which transaction wrote to which table, as far as it was committed. */
export async function watchWrites(db: Db) {
  await sql`create table test_writes (xid xid8 default pg_current_xact_id(), name text)`.execute(db)
  await sql`create function test_note() returns trigger language plpgsql as $$
    begin
      insert into test_writes (name) values (coalesce(pg_partition_root(tg_relid)::regclass::text, tg_table_name));
      return null;
    end $$`.execute(db)
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.relname <> 'test_writes'`.execute(db)
  for (const { name } of rows) {
    await sql`create trigger test_note after insert or update or delete on ${sql.table(name)}
      for each row execute function test_note()`.execute(db)
  }
  return {
    /** The writes since the last call. */
    async take(): Promise<readonly Write[]> {
      const taken = await sql<Write>`with taken as (delete from test_writes returning xid, name)
        select distinct xid::text as xid, name as table from taken order by 1, 2`.execute(db)
      return taken.rows
    },
    /** Refuses every event of a request with this id, as long as it is on. */
    async refuseEventsOf(request_id: string) {
      await sql`create function test_refuse() returns trigger language plpgsql as $$
        begin if new.request_id = ${sql.lit(request_id)} then raise 'refused by the test'; end if; return new; end $$`.execute(
        db,
      )
      await sql`create trigger test_refuse before insert on audit_events
        for each row execute function test_refuse()`.execute(db)
      return () => sql`drop function test_refuse cascade`.execute(db)
    },
  }
}
