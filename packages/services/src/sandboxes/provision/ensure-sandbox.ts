import { type ProjectRow, sandboxes, sessionPrompts, sessions, tokens } from '@svc/db'
import type { Repository } from '@svc/git'
import { type HarnessLaunch, harnessVariable } from '@svc/harness'
import type { SandboxContext } from '../../context.ts'
import type { SandboxClaim } from './claim.ts'
import { sandboxEnvironment } from './environment.ts'
import { provideHarness } from './provide-harness.ts'
import { endpointColumns } from '../endpoint.ts'
import { interruptTurns } from '../interrupt-turns.ts'
import { destroyLost } from '../lost-sandbox.ts'
import { renewedEnvironment } from '../renewed-environment.ts'
import type { RepositoryToSend } from './send-repository.ts'
import { destroyRetired } from '../stop.ts'
import { type ChosenTemplate, sessionTemplate } from './template.ts'
import { traceStep } from '../trace-step.ts'
import { isUnusable, takeWarm } from '../warm/claim.ts'

/** The running sandbox of this session: the existing one, resumed, or a new one. */
export async function ensureSandbox(
  ctx: SandboxContext,
  claim: SandboxClaim,
  project: ProjectRow,
  session: sessions.SessionView,
  repository: Repository,
  sent: RepositoryToSend | null,
) {
  const { session_id } = session
  const [record, launch] = await Promise.all([
    sandboxes.find(ctx.db, session_id),
    provideHarness(ctx, session),
  ])
  await destroyRetired(ctx, claim, record)
  const known = record?.external_id ?? null
  const unusable = record !== undefined && (await isUnusable(ctx, project, record))
  if (known !== null && record?.renew !== true && !unusable) {
    const status = await ctx.provider.status(known)
    if (status !== 'removed') {
      await claim.check()
      // A sandbox that runs already gets new secrets through its daemon, afterwards.
      const kept = status === 'stopped' ? await ctx.provider.environment(known) : null
      const renewed = kept && (await renewedEnvironment(ctx, claim, project, session, kept))
      const environment = kept === null ? undefined : withLaunch(kept, renewed?.environment, launch)
      const { endpoint } = await ctx.provider.start(known, environment)
      await claim.write(async (tx) => {
        await sandboxes.patch(tx, session_id, {
          ...endpointColumns(ctx, project, session_id, endpoint),
          updated_at: ctx.now(),
        })
        if (kept === null) await sandboxes.oweSecretsTo(tx, session_id)
      })
      return { external_id: known, endpoint, kind: 'resume' as const }
    }
  }
  if (known !== null || record?.renew === true) await discardSandbox(ctx, claim, session_id, known)
  const template = sessionTemplate(repository, project, session)
  template.catch(() => undefined)
  const warm = await waitingSandbox(ctx, claim, project, session, { template, sent, launch })
  if (warm !== null) return warm
  traceStep(ctx, session_id, 'read')
  const environment = await claim.write(async (db) => {
    // The worker that goes on after a crash has to be where it may have been made.
    if (ctx.door) await sandboxes.patch(db, session_id, { machine: ctx.machine ?? null })
    return sandboxEnvironment({ ...ctx, db }, project, session, launch)
  })
  const chosen = await template
  traceStep(ctx, session_id, 'environment')
  const labels = { session_id, project_id: session.project_id }
  const asked = session.requested.provider
  const created = await ctx.provider.create(
    {
      sandbox_id: session_id,
      environment,
      labels,
      ...chosen,
      ...(asked === undefined || asked === 'auto' ? {} : { provider: asked }),
    },
    ctx.signal,
  )
  const { external_id, endpoint, provider = ctx.provider.name } = created
  traceStep(ctx, session_id, 'made')
  sent?.sendTo(endpoint, environment)
  await claim.write(async (tx) => {
    await sessions.lock(tx, session_id)
    const place = endpointColumns(ctx, project, session_id, endpoint)
    const patch = { provider, machine: ctx.machine ?? null, external_id, ...place, updated_at: ctx.now() }
    const written = await sandboxes.patch(tx, session_id, patch)
    // A restart came while it was made: no session ever used it.
    if (written?.renew) await sandboxes.retire(tx, session_id, ctx.now())
  })
  traceStep(ctx, session_id, 'recorded')
  return { external_id, endpoint, kind: 'cold' as const }
}

/** The environment of its next start, where it is another one: its harness may lie elsewhere in the store by now. */
function withLaunch(
  kept: Readonly<Record<string, string>>,
  renewed: Readonly<Record<string, string>> | undefined,
  launch: HarnessLaunch | null,
): Readonly<Record<string, string>> | undefined {
  const text = launch === null ? null : JSON.stringify(launch)
  if (text === null || kept[harnessVariable] === text) return renewed
  return { ...(renewed ?? kept), [harnessVariable]: text }
}

/** The parts of a session’s sandbox beside its environment. */
interface SandboxParts {
  readonly template: Promise<ChosenTemplate | null>
  readonly sent: RepositoryToSend | null
  readonly launch: HarnessLaunch | null
}

/** A sandbox out of the pool, for a session that asks for nothing of its own; null when one has to be made. */
async function waitingSandbox(
  ctx: SandboxContext,
  claim: SandboxClaim,
  project: ProjectRow,
  session: sessions.SessionView,
  { template, sent, launch }: SandboxParts,
) {
  if (!ctx.warm_pool?.size || (await template) !== null) return null
  const outcome = await takeWarm(ctx, claim, project, session, { sent, launch })
  if (outcome.kind === 'unusable') await discardSandbox(ctx, claim, session.session_id, outcome.external_id)
  const is_taken = outcome.kind === 'taken'
  ctx.metrics.count('svc_warm_pool_takes_total', { outcome: is_taken ? 'hit' : 'miss' })
  return is_taken ? { ...outcome, kind: 'warm' as const } : null
}

/** Ends the old sandbox and its identity; prompts that it had accepted and not begun are owed to the next one. */
async function discardSandbox(
  ctx: SandboxContext,
  claim: SandboxClaim,
  session_id: string,
  known: string | null,
): Promise<void> {
  await claim.check()
  if (known === null) await destroyLost(ctx, claim, session_id)
  else await ctx.provider.destroy(known)
  const now = ctx.now()
  await claim.write(async (tx) => {
    await sessions.lock(tx, session_id)
    await sandboxes.apply(tx, session_id, 'renew', { is_removed: true }, now)
    // A sandbox that ran on after its session had stopped may have begun a turn since.
    await interruptTurns(ctx, tx, session_id, 'The sandbox was replaced during this turn')
    await sessionPrompts.applyToAll(tx, session_id, 'requeue', now)
    await tokens.revokeOfSession(tx, session_id, now)
  })
}
