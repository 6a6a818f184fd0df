import { type Db, type ProjectRow, projects, sandboxes, sessionPrompts, sessions, tokens } from '@svc/db'
import type { Repository } from '@svc/git'
import { lifecycle } from '@svc/session'
import type { SandboxContext } from '../context.ts'
import { openRepository } from '../projects/repository.ts'
import { ensureBranch } from '../sessions/branch.ts'
import { changeStatus } from '../sessions/change-status.ts'
import { awaitBoot } from './await-boot.ts'
import { claimSandbox, type SandboxClaim } from './claim.ts'
import { sandboxEnvironment } from './environment.ts'
import { BootError, failureOf } from './failure.ts'
import { destroyLost } from './lost-sandbox.ts'
import { destroyRetired } from './stop.ts'
import { sessionTemplate } from './template.ts'

/** Brings the sandbox of a `provisioning` session up. May run twice, or after a crash at any line. */
export async function provisionSandbox(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  await claimSandbox(ctx, input.session_id, async (claim) => {
    const session = await sessions.findById(ctx.db, input.session_id)
    if (!session || session.deleted_at !== null || session.status !== 'provisioning') return
    const project = await projects.find(ctx.db, session.project_id)
    if (!project) return
    try {
      await bringUp(ctx, claim, project, session)
    } catch (error) {
      await claim.check()
      if (ctx.signal.aborted) throw error
      const failure = failureOf(error)
      ctx.log.warn({ err: error, session_id: session.session_id }, 'a sandbox did not come up')
      const age = ctx.now().getTime() - session.provisioning_at.getTime()
      // What the sandbox said itself is its answer; everything else may pass.
      const may_pass = !(error instanceof BootError) && failure.retryable
      if (may_pass && age < lifecycle.provisioningRetriesMs) throw error
      await conclude(ctx, claim, session.session_id, (tx) =>
        changeStatus(ctx, tx, session.session_id, 'fail', { failure }),
      )
    }
  })
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
  await ensureBranch(repository, project, { branch: session.branch_name, base_ref: session.base_ref })

  const { external_id, endpoint } = await ensureSandbox(ctx, claim, project, session, repository)
  const isUnwanted = async () => (await wanted(ctx.db, session_id)) !== 'this'
  const outcome = await awaitBoot({
    provider: ctx.provider,
    external_id,
    endpoint,
    signal: ctx.signal,
    isUnwanted,
  })
  await conclude(ctx, claim, session_id, async (tx) => {
    if (outcome !== 'ready') return
    const now = ctx.now()
    const used = { endpoint, error: null, unreachable_since: null, last_active_at: now, updated_at: now }
    await changeStatus(ctx, tx, session_id, 'ready')
    const activated = await sandboxes.apply(tx, session_id, 'activate', { status: 'active', ...used })
    // Stopped and started again before anybody stopped it: it is active still.
    if (!activated) await sandboxes.patch(tx, session_id, used)
  })
}

/** A session is made where its creator asked for it, or not at all. */
function requireProvider({ provider }: SandboxContext, { requested }: sessions.SessionView): void {
  const asked = requested.provider
  if (asked === undefined || asked === 'auto' || asked === provider.name) return
  throw new BootError({
    category: 'capacity',
    message: `This platform makes sandboxes with ${provider.name}; the session asked for ${asked}`,
    retryable: false,
  })
}

/** What people want by now: this sandbox, another one in its place, or none. */
async function wanted(db: Db, session_id: string): Promise<'this' | 'another' | 'none'> {
  const session = await sessions.findById(db, session_id)
  if (session?.status !== 'provisioning' || session.deleted_at !== null) return 'none'
  return (await sandboxes.find(db, session_id))?.renew === true ? 'another' : 'this'
}

/** Writes how the boot ended, unless somebody decided otherwise meanwhile; then asks for what comes next. */
async function conclude(
  ctx: SandboxContext,
  claim: SandboxClaim,
  session_id: string,
  write: (tx: Db) => Promise<unknown>,
): Promise<void> {
  const status = await claim.write(async (tx) => {
    await sessions.lock(tx, session_id)
    if ((await wanted(tx, session_id)) === 'this') await write(tx)
    return (await sessions.findById(tx, session_id))?.status
  })
  if (status === 'running') await ctx.enqueue('session', 'prompts.deliver', { session_id })
  else if (status === 'provisioning') await ctx.enqueue('session', 'sandbox.provision', { session_id })
  else await ctx.enqueue('session', 'sandbox.stop', { session_id })
}

/** The sandbox of this session, running: the one that is there, resumed, or a new one. */
async function ensureSandbox(
  ctx: SandboxContext,
  claim: SandboxClaim,
  project: ProjectRow,
  session: sessions.SessionView,
  repository: Repository,
) {
  const { session_id } = session
  await destroyRetired(ctx, claim, session_id)
  const record = await sandboxes.find(ctx.db, session_id)
  const known = record?.external_id ?? null
  if (known !== null && record?.renew !== true) {
    const status = await ctx.provider.status(known)
    if (status !== 'removed') {
      await claim.check()
      const { endpoint } = await ctx.provider.start(known)
      const patch = { endpoint: endpoint.url, updated_at: ctx.now() }
      await claim.write((tx) => sandboxes.patch(tx, session_id, patch))
      return { external_id: known, endpoint: endpoint.url }
    }
  }
  if (known !== null || record?.renew === true) await discardSandbox(ctx, claim, session_id, known)
  const environment = await claim.write((db) => sandboxEnvironment({ ...ctx, db }, project, session))
  const chosen = await sessionTemplate(repository, project, session)
  const labels = { session_id, project_id: session.project_id }
  const created = await ctx.provider.create(
    { sandbox_id: session_id, environment, labels, ...chosen },
    ctx.signal,
  )
  const { external_id, endpoint } = created
  await claim.write(async (tx) => {
    await sessions.lock(tx, session_id)
    const patch = { provider: ctx.provider.name, external_id, endpoint: endpoint.url, updated_at: ctx.now() }
    await sandboxes.patch(tx, session_id, patch)
    // A restart came while it was made: it was never anybody's.
    if ((await sandboxes.find(tx, session_id))?.renew) await sandboxes.retire(tx, session_id, ctx.now())
  })
  return { external_id, endpoint: endpoint.url }
}

/** Ends the old sandbox and its identity; what it had accepted and not begun is owed to the next one. */
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
    await sandboxes.apply(tx, session_id, 'renew', {
      status: 'provisioning',
      external_id: null,
      endpoint: null,
      service_key_hash: null,
      sealed_service_key: null,
      runtime_session_id: null,
      renew: false,
      lease_expires_at: null,
      unreachable_since: null,
      updated_at: now,
    })
    await sessionPrompts.requeue(tx, session_id, now)
    await tokens.revokeOfSession(tx, session_id, now)
  })
}
