import { setTimeout as sleep } from 'node:timers/promises'
import { newSecret } from '@svc/context'
import { warmSandboxes } from '@svc/db'
import type { SandboxEndpoint } from '@svc/sandbox'
import { isDraining } from '../machines/draining.ts'
import { warmEndpointColumns } from '../endpoint.ts'
import { openKey, sealKey, type WarmContext, warmLimits } from './pool.ts'
import { statusAt } from './status-at.ts'
import { drainPool, sweepPool } from './sweep.ts'

const pollMs = 50

/**
 * Brings the pool to its size: first removes sandboxes that are of no use, then makes as many as are missing. Several
 * workers may do so at once; a sandbox that one of them leaves half made is swept by the next. On a machine that drains none
 * is kept.
 */
export async function fillPool(ctx: WarmContext): Promise<void> {
  if (await isDraining(ctx)) return ctx.warm_pool.shared ? undefined : drainPool(ctx)
  await sweepPool(ctx)
  for (const warm_id of await begin(ctx)) {
    ctx.signal.throwIfAborted()
    try {
      await warmUp(ctx, warm_id)
    } catch (error) {
      await warmSandboxes.giveUp(ctx.db, [warm_id], ctx.now())
      if (ctx.signal.aborted) return
      ctx.log.warn({ err: error, warm_id }, 'a sandbox did not get warm')
    }
  }
}

async function begin(ctx: WarmContext): Promise<readonly string[]> {
  const { size, pool, recipe } = ctx.warm_pool
  const key = { pool, recipe }
  return ctx.db.transaction().execute(async (tx) => {
    await warmSandboxes.lockPool(tx, key.pool)
    const missing = Math.max(0, size - (await warmSandboxes.count(tx, key)))
    const now = ctx.now()
    const warm_ids = Array.from({ length: missing }, () => ctx.newId())
    for (const warm_id of warm_ids) {
      await warmSandboxes.insert(tx, {
        warm_id,
        ...key,
        state: 'warming',
        ...sealKey(ctx, warm_id, newSecret('svc_sbx_')),
        external_id: null,
        endpoint: null,
        sealed_endpoint: null,
        session_id: null,
        created_at: now,
        updated_at: now,
      })
    }
    return warm_ids
  })
}

/** A daemon that knows where the platform is and nothing else. */
async function warmUp(ctx: WarmContext, warm_id: string): Promise<void> {
  const row = await warmSandboxes.find(ctx.db, warm_id)
  if (row?.state !== 'warming') return
  const { api_url, llm_base_url } = ctx.settings
  const environment = {
    SVC_API_URL: api_url,
    ...(llm_base_url === null ? {} : { SVC_LLM_BASE_URL: llm_base_url }),
    SVC_WARM_KEY: openKey(ctx, row),
    ...(ctx.warm_pool.runtime === undefined ? {} : { SVC_WARM_RUNTIME: ctx.warm_pool.runtime }),
    SVC_WARM_SECONDS: String(Math.ceil((2 * warmLimits.ageMs) / 1000)),
  }
  const { external_id, endpoint } = await ctx.provider.create(
    { sandbox_id: warm_id, environment, labels: { warm_id } },
    ctx.signal,
  )
  await awaitWarm(ctx, external_id, endpoint)
  const place = warmEndpointColumns(ctx, row, endpoint)
  await warmSandboxes.markReady(ctx.db, warm_id, { external_id, ...place }, ctx.now())
  ctx.log.info({ warm_id, external_id }, 'a sandbox waits for its session')
}

async function awaitWarm(ctx: WarmContext, external_id: string, endpoint: SandboxEndpoint): Promise<void> {
  const deadline = Date.now() + warmLimits.wakingMs
  while (Date.now() < deadline) {
    ctx.signal.throwIfAborted()
    if ((await statusAt(endpoint)) === 'warm') return
    const status = await ctx.provider.status(external_id)
    if (status === 'stopped' || status === 'removed') break
    await sleep(pollMs)
  }
  const { exit, output } = await ctx.provider.exitReport(external_id)
  throw new Error(`It did not get ready to wait (${exit ?? 'no answer'}): ${output.slice(-500)}`)
}
