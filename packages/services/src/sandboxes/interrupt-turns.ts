import { type Db, sessionEvents } from '@svc/db'
import type { BaseContext } from '../context.ts'

/** Turns that ran when their sandbox ended will never end by themselves; say so now. */
export async function interruptTurns(
  ctx: Pick<BaseContext, 'now'>,
  tx: Db,
  session_id: string,
  error: string,
): Promise<void> {
  const now = ctx.now()
  const rows = await tx
    .updateTable('session_prompts')
    .set({ state: 'failed', error, updated_at: now })
    .where('session_id', '=', session_id)
    .where('state', '=', 'running')
    .returning('prompt_id')
    .execute()
  const ends = rows.map(({ prompt_id }) => ({
    type: 'turn',
    at: now,
    payload: { prompt_id, state: 'end', status: 'interrupted', error },
  }))
  await sessionEvents.append(tx, session_id, ends)
}
