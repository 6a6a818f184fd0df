import type { BaseContext } from '@svc/context'
import { oauth } from '@svc/db'

const hour = 3_600_000
const day = 24 * hour
const batch = 1_000

/** Drops artefacts that ended a while ago, and clients that were not used for three months; how many artefacts. */
export async function sweepOAuth(ctx: Pick<BaseContext, 'db' | 'now'>): Promise<number> {
  const now = ctx.now().getTime()
  const ago = (ms: number) => new Date(now - ms)
  const bounds = { tokens: ago(day), rest: ago(hour), idle: ago(90 * day), limit: batch }
  for (let removed = 0; ;) {
    const { artefacts } = await oauth.sweep(ctx.db, bounds)
    removed += artefacts
    if (artefacts < batch) return removed
  }
}
