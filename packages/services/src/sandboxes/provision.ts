import {
  type Db,
  type ProjectRow,
  projects,
  sandboxes,
  sessionPrompts,
  sessions,
  tokens,
  withLock,
} from '@svc/db'
import type { SandboxContext } from '../context.ts'
import { openRepository } from '../projects/repository.ts'
import { ensureBranch } from '../sessions/branch.ts'
import { changeStatus } from '../sessions/change-status.ts'
import { awaitBoot } from './await-boot.ts'
import { sandboxEnvironment } from './environment.ts'
import { BootError, failureOf } from './failure.ts'
import { destroyLost } from './lost-sandbox.ts'

/** How long a session may be on its way up while every cause of failure passes by itself. */
const retryForMs = 120_000

export const sessionLock = (session_id: string) => `session:${session_id}`

/** Brings the sandbox of a `provisioning` session up. May run twice, or after a crash at any line. */
export async function provisionSandbox(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  await withLock(ctx.locks, sessionLock(input.session_id), async () => {
    const session = await sessions.findById(ctx.db, input.session_id)
    if (!session || session.deleted_at !== null || session.status !== 'provisioning') return
    const project = await projects.find(ctx.db, session.project_id)
    if (!project) return
    try {
      await bringUp(ctx, project, session)
    } catch (error) {
      if (ctx.signal.aborted) throw error
      const failure = failureOf(error)
      ctx.log.warn({ err: error, session_id: session.session_id }, 'a sandbox did not come up')
      const age = ctx.now().getTime() - session.provisioning_at.getTime()
      // What the sandbox said itself is its answer; everything else may pass.
      if (!(error instanceof BootError) && failure.retryable && age < retryForMs) throw error
      await conclude(ctx, session.session_id, (tx) =>
        changeStatus(ctx, tx, session.session_id, 'fail', { failure }),
      )
    }
  })
}

async function bringUp(
  ctx: SandboxContext,
  project: ProjectRow,
  session: sessions.SessionView,
): Promise<void> {
  const { session_id } = session
  const repository = await openRepository(ctx, project)
  await ensureBranch(repository, project, { branch: session.branch_name, base_ref: session.base_ref })

  const { external_id, endpoint } = await ensureSandbox(ctx, project, session)
  const isUnwanted = async () => (await wanted(ctx.db, session_id)) !== 'this'
  const outcome = await awaitBoot({
    provider: ctx.provider,
    external_id,
    endpoint,
    signal: ctx.signal,
    isUnwanted,
  })
  await conclude(ctx, session_id, async (tx) => {
    if (outcome !== 'ready') return
    const now = ctx.now()
    const used = { endpoint, error: null, last_active_at: now, updated_at: now }
    await changeStatus(ctx, tx, session_id, 'ready')
    const activated = await sandboxes.apply(tx, session_id, 'activate', { status: 'active', ...used })
    // Stopped and started again before anybody stopped it: it is active still.
    if (!activated) await sandboxes.patch(tx, session_id, used)
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
  session_id: string,
  write: (tx: Db) => Promise<unknown>,
): Promise<void> {
  const status = await ctx.db.transaction().execute(async (tx) => {
    await sessions.lock(tx, session_id)
    if ((await wanted(tx, session_id)) === 'this') await write(tx)
    return (await sessions.findById(tx, session_id))?.status
  })
  if (status === 'running') await ctx.enqueue('session', 'prompts.deliver', { session_id })
  else if (status === 'provisioning') await ctx.enqueue('session', 'sandbox.provision', { session_id })
  else await ctx.enqueue('session', 'sandbox.stop', { session_id })
}

/** The sandbox of this session, running: the one that is there, resumed, or a new one. */
async function ensureSandbox(ctx: SandboxContext, project: ProjectRow, session: sessions.SessionView) {
  const { session_id } = session
  const record = await sandboxes.find(ctx.db, session_id)
  const known = record?.external_id ?? null
  if (known !== null && record?.renew !== true) {
    const status = await ctx.provider.status(known)
    if (status !== 'removed') {
      const { endpoint } = await ctx.provider.start(known)
      await sandboxes.patch(ctx.db, session_id, { endpoint: endpoint.url, updated_at: ctx.now() })
      return { external_id: known, endpoint: endpoint.url }
    }
  }
  if (known !== null || record?.renew === true) await discardSandbox(ctx, session_id, known)
  const created = await ctx.provider.create(
    {
      sandbox_id: session_id,
      environment: await sandboxEnvironment(ctx, project, session),
      labels: { session_id, project_id: session.project_id },
    },
    ctx.signal,
  )
  const { external_id, endpoint } = created
  await sandboxes.patch(ctx.db, session_id, {
    provider: ctx.provider.name,
    external_id,
    endpoint: endpoint.url,
    updated_at: ctx.now(),
  })
  return { external_id, endpoint: endpoint.url }
}

/** Ends the old sandbox and its identity; what it had accepted and not begun is owed to the next one. */
async function discardSandbox(ctx: SandboxContext, session_id: string, known: string | null): Promise<void> {
  if (known === null) await destroyLost(ctx, session_id)
  else await ctx.provider.destroy(known)
  const now = ctx.now()
  await ctx.db.transaction().execute(async (tx) => {
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
      updated_at: now,
    })
    await sessionPrompts.requeue(tx, session_id, now)
    await tokens.revokeOfSession(tx, session_id, now)
  })
}
