import { type PromptEvent, promptMachine, type PromptState } from '@svc/session'
import type { Insertable } from 'kysely'
import type { Db } from '../database.ts'
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

export type PromptKey = Pick<SessionPromptRow, 'session_id' | 'prompt_id'>

/** The words that a turn ended with. */
export interface TurnEnd {
  readonly error?: string | null
  readonly stop_reason?: string | null
}

/** Applies `event` if the prompt's state accepts it; false means it did not. */
export async function apply(
  db: Db,
  key: PromptKey,
  event: PromptEvent,
  now: Date,
  { error = null, stop_reason = null }: TurnEnd = {},
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session_prompts')
    .set({ state: promptMachine.to(event), error, stop_reason, updated_at: now })
    .where('session_id', '=', key.session_id)
    .where('prompt_id', '=', key.prompt_id)
    .where('state', 'in', promptMachine.from(event))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function find(db: Db, key: PromptKey): Promise<SessionPromptRow | undefined> {
  return db
    .selectFrom('session_prompts')
    .selectAll()
    .where('session_id', '=', key.session_id)
    .where('prompt_id', '=', key.prompt_id)
    .executeTakeFirst()
}

/** A turn that runs now: its prompt, and when it began. */
export interface RunningTurn extends Pick<SessionPromptRow, 'prompt_id' | 'traceparent' | 'created_at'> {
  readonly began_at: Date
}

/** The turn that runs in a session, or the one of that prompt alone. */
export async function findRunning(
  db: Db,
  { session_id, prompt_id }: Pick<PromptKey, 'session_id'> & Partial<PromptKey>,
): Promise<RunningTurn | undefined> {
  let rows = db
    .selectFrom('session_prompts')
    .select(['prompt_id', 'traceparent', 'created_at', 'updated_at as began_at'])
    .where('session_id', '=', session_id)
    .where('state', '=', 'running')
  if (prompt_id !== undefined) rows = rows.where('prompt_id', '=', prompt_id)
  return rows.orderBy('position').limit(1).executeTakeFirst()
}

export async function findByDedupeKey(
  db: Db,
  { session_id, dedupe_key }: Pick<SessionPromptRow, 'session_id' | 'dedupe_key'>,
): Promise<SessionPromptRow | undefined> {
  return db
    .selectFrom('session_prompts')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('dedupe_key', '=', dedupe_key)
    .executeTakeFirst()
}

/** The prompt queue in its order; `states` narrows it. */
export async function list(
  db: Db,
  session_id: string,
  query: { readonly states?: readonly PromptState[]; readonly after: number; readonly limit: number },
): Promise<SessionPromptRow[]> {
  let rows = db
    .selectFrom('session_prompts')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('position', '>', query.after)
  if (query.states !== undefined) rows = rows.where('state', 'in', query.states)
  return rows.orderBy('position').limit(query.limit).execute()
}

/**
 * Applies `event` to every prompt of the session that accepts it. interrupt: its turn ended with its sandbox. requeue: a
 * new sandbox knows nothing of what the old one had accepted, so it is owed again.
 */
export async function applyToAll(
  db: Db,
  session_id: string,
  event: 'interrupt' | 'requeue',
  now: Date,
  error: string | null = null,
): Promise<void> {
  await db
    .updateTable('session_prompts')
    .set({ state: promptMachine.to(event), error, updated_at: now })
    .where('session_id', '=', session_id)
    .where('state', 'in', promptMachine.from(event))
    .execute()
}
