import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A change of the schema, by the role that logged in and the one with whose rights it was made. */
export interface SchemaChange {
  readonly session_role: string
  readonly rights_of: string
  readonly tag: string
}

/** Has PostgreSQL itself note every change of the schema from now on. */
export async function watchDdl(db: Db): Promise<() => Promise<readonly SchemaChange[]>> {
  const statements = [
    'create schema watched',
    'create table watched.changes (session_role text, rights_of text, tag text)',
    'grant usage on schema watched to public',
    'grant insert on watched.changes to public',
    `create function watched.note() returns event_trigger language plpgsql as $$ begin
       insert into watched.changes values (session_user, current_user, tg_tag);
     end $$`,
    'create event trigger watched on ddl_command_end execute function watched.note()',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  return async () => {
    const { rows } = await sql<SchemaChange>`
      select distinct session_role, rights_of, tag from watched.changes order by 1, 2, 3`.execute(db)
    return rows
  }
}
