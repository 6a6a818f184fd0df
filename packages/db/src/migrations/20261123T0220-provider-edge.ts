import { type Kysely, sql } from 'kysely'

/** The address at which a busy sandbox tells its provider that it is in use; sealed, since its headers may be a credential. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session_sandboxes add column sealed_edge text`.execute(db)
}
