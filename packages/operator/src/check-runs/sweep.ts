import type { BaseContext } from '@svc/context'
import { checkRuns } from '@svc/db'
import { enqueuePart } from './enqueue-part.ts'

/** Longer than a worker is silent while it lives. */
const silenceMs = 30_000
const batch = 100

/** Asks again for the parts of runs whose job was lost, or whose worker died. */
export async function sweepCheckRuns(ctx: Pick<BaseContext, 'db' | 'enqueue' | 'now'>): Promise<number> {
  const lost = await checkRuns.listLost(ctx.db, new Date(ctx.now().getTime() - silenceMs), batch)
  for (const part of lost) await enqueuePart(ctx, part)
  return lost.length
}
