import { type ProjectRow, sandboxes, type SandboxRow, sessions, warmSandboxes } from '@svc/db'
import type { HarnessLaunch } from '@svc/harness'
import type { SandboxEndpoint } from '@svc/sandbox'
import type { SandboxContext } from '../../context.ts'
import type { SandboxClaim } from '../provision/claim.ts'
import { askDaemon } from '../daemon-client.ts'
import { endpointColumns, endpointOf, warmEndpointOf } from '../endpoint.ts'
import { sandboxEnvironment } from '../provision/environment.ts'
import type { RepositoryToSend } from '../provision/send-repository.ts'
import { traceStep } from '../trace-step.ts'
import { openKey, warmLimits } from './pool.ts'
import { statusAt } from './status-at.ts'

export type WarmOutcome =
  | { readonly kind: 'taken'; readonly external_id: string; readonly endpoint: SandboxEndpoint }
  /** No sandbox waited: one has to be made. */
  | { readonly kind: 'none' }
  /** A sandbox was taken but did not accept the session: it has to go before another is made. */
  | { readonly kind: 'unusable'; readonly external_id: string }

/**
 * Takes a waiting sandbox for the session and tells its daemon whose it is. The rows come first, in one transaction:
 * from then on no other session can take it, and a worker that dies here leaves one that `isUnusable` finds.
 */
export async function takeWarm(
  ctx: SandboxContext,
  claim: SandboxClaim,
  project: ProjectRow,
  session: sessions.SessionView,
  { sent, launch }: { readonly sent: RepositoryToSend | null; readonly launch: HarnessLaunch | null },
): Promise<WarmOutcome> {
  const pool = ctx.warm_pool
  const adopt = ctx.provider.adopt?.bind(ctx.provider)
  if (pool === undefined || pool.size === 0 || adopt === undefined) return { kind: 'none' }
  const { session_id, requested } = session
  const { provider: asked = 'auto' } = requested
  // Of several providers, a session that asks for one gets a sandbox made by that one.
  if (asked !== 'auto' && ctx.provider.providerOf !== undefined) return { kind: 'none' }
  traceStep(ctx, session_id, 'read')
  const taken = await claim.write(async (tx) => {
    await sessions.lock(tx, session_id)
    // A restart came: a sandbox claimed now would belong to no session.
    if ((await sandboxes.find(tx, session_id))?.renew !== false) return null
    const now = ctx.now()
    const warm = await warmSandboxes.claim(tx, pool, { session_id, now })
    if (!warm) return null
    const environment = await sandboxEnvironment({ ...ctx, db: tx }, project, session, launch)
    const { external_id } = warm
    const endpoint = warmEndpointOf(ctx, warm)
    await sandboxes.patch(tx, session_id, {
      provider: ctx.provider.providerOf?.(external_id) ?? ctx.provider.name,
      machine: ctx.machine ?? null,
      external_id,
      ...endpointColumns(ctx, project, session_id, endpoint),
      updated_at: now,
    })
    return { warm, endpoint, environment }
  })
  if (taken === null) return { kind: 'none' }
  const { warm, endpoint, environment } = taken
  const { external_id, warm_id } = warm
  traceStep(ctx, session_id, 'environment')
  try {
    await adopt(external_id, environment)
    traceStep(ctx, session_id, 'made')
    await sendEnvironment(endpoint, openKey(ctx, warm), environment)
    sent?.sendTo(endpoint, environment)
  } catch (error) {
    ctx.log.warn({ err: error, session_id, warm_id }, 'a warm sandbox did not take its session')
    return { kind: 'unusable', external_id }
  }
  await warmSandboxes.forget(ctx.db, warm_id)
  traceStep(ctx, session_id, 'recorded')
  return { kind: 'taken', external_id, endpoint }
}

/**
 * True when the session's sandbox came out of the pool and was never told, because the worker died between the two. It
 * knows nothing then, and its environment is lost with that worker; one that was told after all is kept.
 */
export async function isUnusable(
  ctx: Pick<SandboxContext, 'db' | 'vault'>,
  project: ProjectRow,
  sandbox: SandboxRow,
): Promise<boolean> {
  const { session_id, external_id } = sandbox
  if (external_id === null || sandbox.endpoint === null) return false
  const row = await warmSandboxes.findClaimed(ctx.db, { session_id, external_id })
  if (!row) return false
  const status = await statusAt(endpointOf(ctx, project, sandbox))
  if (status === null || status === 'warm') return true
  await warmSandboxes.forget(ctx.db, row.warm_id)
  return false
}

async function sendEnvironment(
  endpoint: SandboxEndpoint,
  key: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const answer = await askDaemon(endpoint, {
    method: 'POST',
    path: '/svc/claim',
    service_key: key,
    body: { environment },
    timeout_ms: warmLimits.claimMs,
  })
  if (answer.status !== 200) throw new Error(`Its daemon answered ${answer.status}`)
}
