import type { PromptState } from '@svc/session'
import type { Insertable } from 'kysely'
import type { Db } from './database.ts'
import type { SessionPromptRow, SessionPromptTable } from './session-prompts.table.ts'

/** Undefined when a prompt with this dedupe key is already there. */
export async function insert(
  db: Db,
  prompt: Insertable<SessionPromptTable>,
): Promise<SessionPromptRow | undefined> {
  return db
    .insertInto('session_prompts')
    .values(prompt)
    .onConflict((conflict) => conflict.columns(['session_id', 'dedupe_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function listPending(db: Db, session_id: string): Promise<SessionPromptRow[]> {
  return db
    .selectFrom('session_prompts')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('state', '=', 'pending')
    .orderBy('position')
    .execute()
}

export async function findInitial(db: Db, session_id: string): Promise<SessionPromptRow | undefined> {
  return db
    .selectFrom('session_prompts')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('source', 'in', ['initial', 'trigger'])
    .orderBy('position')
    .executeTakeFirst()
}

/** Moves one prompt of a session on; a prompt never moves back. */
export async function move(
  db: Db,
  key: { session_id: string; prompt_id: string },
  from: readonly PromptState[],
  to: PromptState,
  now: Date,
  error: string | null = null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session_prompts')
    .set({ state: to, error, updated_at: now })
    .where('session_id', '=', key.session_id)
    .where('prompt_id', '=', key.prompt_id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function exists(db: Db, key: { session_id: string; prompt_id: string }): Promise<boolean> {
  const row = await db
    .selectFrom('session_prompts')
    .select('prompt_id')
    .where('session_id', '=', key.session_id)
    .where('prompt_id', '=', key.prompt_id)
    .executeTakeFirst()
  return row !== undefined
}

/** A new sandbox knows nothing of what the old one had accepted: owed again, or lost in the middle of a turn. */
export async function requeue(db: Db, session_id: string, now: Date): Promise<void> {
  await db
    .updateTable('session_prompts')
    .set({ state: 'pending', updated_at: now })
    .where('session_id', '=', session_id)
    .where('state', '=', 'delivered')
    .execute()
  await db
    .updateTable('session_prompts')
    .set({ state: 'failed', error: 'The sandbox was replaced during this turn', updated_at: now })
    .where('session_id', '=', session_id)
    .where('state', '=', 'running')
    .execute()
}
