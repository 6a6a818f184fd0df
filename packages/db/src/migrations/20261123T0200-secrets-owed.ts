import { type Kysely, sql } from 'kysely'

/** Which live sandboxes were given their secrets before one of them was written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table session_sandboxes add column secrets_owed integer not null default 0 check (secrets_owed >= 0)`,
  `create index session_sandboxes_secrets_owed on session_sandboxes (session_id) where secrets_owed > 0`,
]
