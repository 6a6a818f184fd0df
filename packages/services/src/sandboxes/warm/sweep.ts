import { type WarmSandboxRow, warmSandboxes } from '@svc/db'
import { SandboxError } from '@svc/sandbox'
import { type WarmContext, warmLimits } from './pool.ts'

/**
 * Removes sandboxes that no session will claim: too old, of another version, too many, ended by themselves, or left
 * half made.
 */
export async function sweepPool(ctx: WarmContext): Promise<void> {
  const { pool, recipe, warming_ms } = ctx.warm_pool
  const now = ctx.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  await warmSandboxes.giveUpOutworn(ctx.db, {
    pool,
    recipe,
    now,
    made_before: before(warmLimits.ageMs),
    other_before: before(warmLimits.otherVersionMs),
    begun_before: before(warming_ms),
  })
  await warmSandboxes.forgetOvertaken(ctx.db, pool)
  await giveUpUseless(ctx)
  await removeGone(ctx)
}

/** For a platform that takes its sandboxes with it. */
export async function drainPool(ctx: WarmContext): Promise<void> {
  await warmSandboxes.giveUpAll(ctx.db, ctx.warm_pool.pool, ctx.now())
  await removeGone(ctx)
}

async function giveUpUseless(ctx: WarmContext): Promise<void> {
  const ready = await warmSandboxes.listReady(ctx.db, ctx.warm_pool)
  const excess = ready.slice(ctx.warm_pool.size)
  const dead: WarmSandboxRow[] = []
  for (const row of ready.slice(0, ctx.warm_pool.size)) {
    const status = row.external_id === null ? 'removed' : await ctx.provider.status(row.external_id)
    if (status === 'stopped' || status === 'removed') dead.push(row)
  }
  const ids = [...excess, ...dead].map(({ warm_id }) => warm_id)
  await warmSandboxes.giveUp(ctx.db, ids, ctx.now())
}

/** Deletes the row last: a worker that is killed in between leaves it to the next sweep. */
async function removeGone(ctx: WarmContext): Promise<void> {
  for (const { warm_id, external_id } of await warmSandboxes.listGone(ctx.db, ctx.warm_pool.pool)) {
    ctx.signal.throwIfAborted()
    try {
      await ctx.provider.destroy(external_id ?? (await findLost(ctx, warm_id)))
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      ctx.log.warn({ err: error, warm_id }, 'a warm sandbox was not removed')
      continue
    }
    await warmSandboxes.forget(ctx.db, warm_id)
  }
}

/** Its creation may have got anywhere; a provider that tells the name only on creation is asked to create it again. */
async function findLost(ctx: WarmContext, warm_id: string): Promise<string> {
  const known = ctx.provider.identify(warm_id)
  if (known !== null) return known
  const { external_id } = await ctx.provider.create({ sandbox_id: warm_id, environment: {} }, ctx.signal)
  return external_id
}
