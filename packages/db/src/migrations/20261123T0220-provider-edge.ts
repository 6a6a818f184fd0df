import { type Kysely, sql } from 'kysely'

/** Address at which a busy sandbox tells its provider that it is in use; sealed: its headers may be a credential. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session_sandboxes add column sealed_edge text`.execute(db)
}
