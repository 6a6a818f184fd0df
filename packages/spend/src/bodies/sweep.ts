import type { BaseContext } from '@svc/context'
import { callBodies } from '@svc/db'
import { objectKey } from './object.ts'

const batch = 200

/** Removes bodies of model calls whose date has come: the object, then the row that names it. How many went. */
export async function sweepBodies(
  { db, now, objects }: Pick<BaseContext, 'db' | 'now' | 'objects'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let removed = 0
  while (!signal.aborted) {
    const due = await callBodies.due(db, now(), batch)
    for (const call of due) await objects.delete(objectKey(call))
    await callBodies.remove(
      db,
      due.map(({ call_id }) => call_id),
    )
    removed += due.length
    if (due.length < batch) break
  }
  return removed
}
