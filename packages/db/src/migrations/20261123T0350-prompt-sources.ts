import { type Kysely, sql } from 'kysely'

/** The parts of the platform that may put a prompt. Existing rows were held to a shorter list and need no check. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table session_prompts drop constraint session_prompts_source_check`,
  `alter table session_prompts add constraint session_prompts_source_check check (source in (
    'user', 'initial', 'request_changes', 'trigger', 'connector', 'review', 'checks', 'channel', 'monitor')) not valid`,
]
