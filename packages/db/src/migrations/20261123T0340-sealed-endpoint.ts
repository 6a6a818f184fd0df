import { type Kysely, sql } from 'kysely'

/** An endpoint with more to it than an address; sealed, since its headers may be a credential. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session_sandboxes add column sealed_endpoint text`.execute(db)
  await sql`alter table warm_sandboxes add column sealed_endpoint text`.execute(db)
}
