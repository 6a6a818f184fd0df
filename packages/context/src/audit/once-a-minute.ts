import { attempts } from '@svc/db'
import type { BaseContext } from '../context.ts'

const windowMs = 60_000

/** True for the first of its key in a minute, over all processes: a caller who repeats a request must not fill the log. */
export async function isFirstInAMinute(ctx: Pick<BaseContext, 'db' | 'now'>, key: string): Promise<boolean> {
  return (await attempts.count(ctx.db, key, windowMs, ctx.now())).attempts === 1
}
