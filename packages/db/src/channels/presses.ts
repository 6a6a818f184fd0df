import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'

/** Notes that the act of a press goes out: the next worker of the press knows that it may have happened. */
export async function beginAct(db: Db, delivery_id: string, now: Date): Promise<void> {
  await db
    .updateTable('channel_deliveries')
    .set({ act_began_at: now })
    .where('delivery_id', '=', delivery_id)
    .execute()
}

/** Whether a person has pressed that button of a message before, and it was done. */
export async function wasPressed(
  db: Db,
  {
    link_id,
    ...press
  }: {
    readonly link_id: string
    readonly message_id: string
    readonly action: string
    readonly text: string | null
  },
): Promise<boolean> {
  const found = await db
    .selectFrom('channel_deliveries')
    .select('delivery_id')
    .where('link_id', '=', link_id)
    .where('kind', '=', 'action')
    .where('verdict', '=', 'accepted')
    .where(sql<boolean>`body @> ${jsonb(press)}::jsonb`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
