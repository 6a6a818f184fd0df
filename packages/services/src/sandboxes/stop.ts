import { type Db, notify, projects, sandboxes, type SandboxRow, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { removeCheckpoints } from '@svc/git'
import type { SandboxContext } from '../context.ts'
import { claimSandbox, type SandboxClaim } from './provision/claim.ts'
import { interruptTurns } from './interrupt-turns.ts'
import { destroyLost } from './lost-sandbox.ts'

/** Ends the processes of a session that no longer runs. */
export async function stopSandbox(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  await claimSandbox(ctx, session_id, async (claim) => {
    const session = await sessions.findById(ctx.db, session_id)
    if (!session || session.status === 'provisioning' || session.status === 'running') return
    await destroyRetired(ctx, claim, await sandboxes.find(ctx.db, session_id))
    await claim.check()
    if (session.external_id === null) await destroyLost(ctx, claim, session_id)
    else await ctx.provider.stop(session.external_id)
    const event = session.status === 'failed' ? 'error' : 'stop'
    await claim.write(async (tx) => {
      const current = await sessions.lock(tx, session_id)
      // A sandbox could begin a turn until now.
      await interruptTurns(ctx, tx, session_id, 'The sandbox was stopped during this turn')
      const error = session.failure?.message ?? null
      await sandboxes.apply(tx, session_id, event, { error }, ctx.now())
      await sandboxes.settleOwed(tx, session_id, 'stop')
      // It was started again while it was being stopped.
      if (current?.status === 'provisioning') await sandboxes.apply(tx, session_id, 'resume', {}, ctx.now())
      await notify(tx, 'session', { session_id })
    })
  })
}

/** Removes the sandbox of a deleted session, and what was saved of its work. */
export async function destroySandbox(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  await claimSandbox(ctx, session_id, async (claim) => {
    const session = await sessions.findById(ctx.db, session_id)
    if (!session || session.deleted_at === null) return
    await destroyRetired(ctx, claim, await sandboxes.find(ctx.db, session_id))
    await claim.check()
    if (session.external_id === null) await destroyLost(ctx, claim, session_id)
    else await ctx.provider.destroy(session.external_id)
    await forgetCheckpoints(ctx, session)
    await claim.write(async (tx) => {
      await sandboxes.apply(tx, session_id, 'archive', {}, ctx.now())
      await sandboxes.settleOwed(tx, session_id, 'destroy')
    })
  })
}

/** Removes the sandboxes that a restart has put aside. */
export async function destroyRetired(
  ctx: SandboxContext,
  claim: SandboxClaim,
  record: SandboxRow | undefined,
): Promise<void> {
  if (!record) return
  const { session_id, retired } = record
  for (const external_id of retired) {
    await claim.check()
    await ctx.provider.destroy(external_id)
    await claim.write((tx: Db) => sandboxes.forgetRetired(tx, session_id, external_id))
  }
}

/** A repository that was removed before its session took the checkpoints along. */
async function forgetCheckpoints(ctx: SandboxContext, session: sessions.SessionView): Promise<void> {
  const { project_id, session_id } = session
  if (!(await projects.find(ctx.db, project_id))) return
  try {
    const store = await ctx.repositories.open({ kind: 'managed', project_id }, { signal: ctx.signal })
    await removeCheckpoints(store, session_id, 0)
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'git_mirror_unavailable')) throw error
  }
}
