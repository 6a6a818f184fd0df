import { type Db, type ProjectRow, projects, sandboxes, type SessionRow, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Repository } from '@svc/git'
import { owns } from '@svc/sandbox'
import { sessionLimits } from '@svc/session'
import type { SandboxContext } from '../../context.ts'
import { openRepository } from '../../projects/repository.ts'
import { ensureBranch } from '../../sessions/creation/branch.ts'
import { changeStatus } from '../../sessions/change-status.ts'
import { removeSession } from '../../sessions/remove-session.ts'
import { endpointColumns } from '../endpoint.ts'
import { awaitBoot } from './await-boot.ts'
import { claimSandbox, type SandboxClaim } from './claim.ts'
import { ensureSandbox } from './ensure-sandbox.ts'
import { sealEdge } from '../edge.ts'
import { isDraining } from '../machines/draining.ts'
import { BootError, failureOf } from './failure.ts'
import { firstRepository, sendsRepository } from './first-repository.ts'
import { prepareRepository } from './send-repository.ts'
import { traceStep } from '../trace-step.ts'

/** Brings the sandbox of a `provisioning` session up. May run twice, or after a crash at any line. */
export async function provisionSandbox(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  traceStep(ctx, input.session_id, 'taken_up')
  if (await isDraining(ctx)) return putOff(ctx, input.session_id)
  await claimSandbox(ctx, input.session_id, async (claim) => {
    traceStep(ctx, input.session_id, 'claimed')
    const [session, project] = await Promise.all([
      sessions.findById(ctx.db, input.session_id),
      projects.findOfSession(ctx.db, input.session_id),
    ])
    if (!session || session.deleted_at !== null || session.status !== 'provisioning') return
    if (!project) return
    // It was asked for while its project was being archived: no caller would find it there.
    if (project.status !== 'active') return removeSession(ctx, session)
    try {
      await bringUp(ctx, claim, project, session)
    } catch (error) {
      await claim.check()
      if (ctx.signal.aborted) throw error
      const failure = failureOf(error)
      ctx.log.warn({ err: error, session_id: session.session_id }, 'a sandbox did not come up')
      const age = ctx.now().getTime() - session.provisioning_at.getTime()
      // A failure that the sandbox itself reported is final; everything else may pass.
      const may_pass = !(error instanceof BootError) && failure.retryable
      if (may_pass && age < sessionLimits.provisioningRetriesMs) throw error
      await conclude(ctx, claim, session.session_id, (tx) =>
        changeStatus(ctx, tx, session.session_id, 'fail', { failure }),
      )
    }
  })
}

/** Time that a machine which drains leaves a session to the workers of others. */
const elsewhereMs = 500

/** Leaves a session to another machine; until there is one it waits, and no time is counted against it. */
async function putOff(ctx: SandboxContext, session_id: string): Promise<void> {
  if (!(await sessions.waitOn(ctx.db, session_id, ctx.now()))) return
  await ctx.enqueue('session', 'sandbox.provision', { session_id }, { delay_ms: elsewhereMs })
}

async function bringUp(
  ctx: SandboxContext,
  claim: SandboxClaim,
  project: ProjectRow,
  session: sessions.SessionView,
): Promise<void> {
  const { session_id } = session
  requireProvider(ctx, session)
  const repository = await openRepository(ctx, project)
  const cut = session.requested.monitors ? undefined : cutBranch(repository, project, session)
  // The sandbox needs longer than the branch; neither is left running when the other fails.
  const sent = sendsRepository(project, session)
    ? prepareRepository(ctx, session_id, async () => {
        await cut
        return firstRepository(repository, project, session)
      })
    : null
  const boot = async () => {
    const [branch, sandbox] = await Promise.allSettled([
      cut,
      ensureSandbox(ctx, claim, project, session, repository, sent),
    ])
    if (branch.status === 'rejected') throw branch.reason
    if (sandbox.status === 'rejected') throw sandbox.reason
    const { external_id, endpoint, kind } = sandbox.value
    const isUnwanted = async () =>
      !(await isWanted(ctx.db, session_id, await sessions.findById(ctx.db, session_id)))
    const { provider, signal } = ctx
    const has_run = session.started_at !== null
    const outcome = await awaitBoot({ provider, external_id, endpoint, has_run, signal, isUnwanted })
    const edge = (await provider.edge?.(external_id)) ?? null
    const name = ctx.provider.providerOf?.(external_id) ?? provider.name
    return { endpoint, outcome, sealed_edge: sealEdge(ctx, project, session_id, edge), kind, provider: name }
  }
  const { endpoint, outcome, sealed_edge, ...labels } = await boot().finally(() => sent?.end())
  traceStep(ctx, session_id, 'healthy')
  await conclude(ctx, claim, session_id, async (tx) => {
    if (outcome !== 'ready') return undefined
    const now = ctx.now()
    const running = await changeStatus(ctx, tx, session_id, 'ready', {})
    const place = endpointColumns(ctx, project, session_id, endpoint)
    await sandboxes.apply(tx, session_id, 'activate', { ...place, sealed_edge }, now)
    const took_ms = now.getTime() - session.provisioning_at.getTime()
    if (running) ctx.metrics.observe('svc_session_start_seconds', labels, took_ms / 1000)
    return running
  })
}

/** A deleted branch costs no work: a session that ran before has its work in its sandbox, or saved. */
async function cutBranch(
  repository: Repository,
  project: ProjectRow,
  { branch_name, base_ref, started_at }: sessions.SessionView,
): Promise<void> {
  try {
    await ensureBranch(repository, project, { branch: branch_name, base_ref })
  } catch (error) {
    const gone = error instanceof ServiceError && error.code === 'REF_NOT_FOUND'
    if (!gone || started_at === null) throw error
  }
}

/** A session is made where its creator asked for it, or not at all. */
function requireProvider({ provider }: SandboxContext, { requested }: sessions.SessionView): void {
  const asked = requested.provider
  if (asked === undefined || asked === 'auto' || owns(provider, asked)) return
  throw new BootError({
    category: 'capacity',
    message: `This platform makes sandboxes with ${provider.name}; the session asked for ${asked}`,
    retryable: false,
  })
}

/** True while the session still wants this sandbox, and not another one in its place or none. */
async function isWanted(db: Db, session_id: string, session: SessionRow | undefined): Promise<boolean> {
  if (session?.status !== 'provisioning' || session.deleted_at !== null) return false
  return (await sandboxes.find(db, session_id))?.renew !== true
}

/** Writes how the boot ended, unless the session stopped wanting it meanwhile; then asks for what comes next. */
async function conclude(
  ctx: SandboxContext,
  claim: SandboxClaim,
  session_id: string,
  write: (tx: Db) => Promise<SessionRow | undefined>,
): Promise<void> {
  const status = await claim.write(async (tx) => {
    const session = await sessions.lock(tx, session_id)
    const written = (await isWanted(tx, session_id, session)) ? await write(tx) : undefined
    return (written ?? session)?.status
  })
  if (status === 'running') traceStep(ctx, session_id, 'running')
  if (status === 'running') await ctx.enqueue('session', 'prompts.deliver', { session_id })
  else if (status === 'provisioning') await ctx.enqueue('session', 'sandbox.provision', { session_id })
  else await ctx.enqueue('session', 'sandbox.stop', { session_id })
}
