import { type Kysely, sql } from 'kysely'

/** Counts the secrets that were written since a live sandbox got its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table session_sandboxes add column secrets_owed integer not null default 0 check (secrets_owed >= 0)`,
  `create index session_sandboxes_secrets_owed on session_sandboxes (session_id) where secrets_owed > 0`,
]
