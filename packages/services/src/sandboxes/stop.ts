import { sandboxes, sessions, withLock, notify } from '@svc/db'
import type { SandboxContext } from '../context.ts'
import { destroyLost } from './lost-sandbox.ts'
import { sessionLock } from './provision.ts'

/** Ends the processes of a session that no longer runs. */
export async function stopSandbox(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  await withLock(ctx.locks, sessionLock(session_id), async () => {
    const session = await sessions.findById(ctx.db, session_id)
    if (!session || session.status === 'provisioning' || session.status === 'running') return
    if (session.external_id === null) await destroyLost(ctx, session_id)
    else await ctx.provider.stop(session.external_id)
    const event = session.status === 'failed' ? 'error' : 'stop'
    await sandboxes.apply(ctx.db, session_id, event, {
      status: event === 'error' ? 'error' : 'stopped',
      error: session.failure?.message ?? null,
      lease_expires_at: null,
      updated_at: ctx.now(),
    })
    await notify(ctx.db, 'session', { session_id })
  })
}

/** Removes the sandbox of a deleted session. */
export async function destroySandbox(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  await withLock(ctx.locks, sessionLock(session_id), async () => {
    const session = await sessions.findById(ctx.db, session_id)
    if (!session || session.deleted_at === null) return
    if (session.external_id === null) await destroyLost(ctx, session_id)
    else await ctx.provider.destroy(session.external_id)
    await sandboxes.apply(ctx.db, session_id, 'archive', {
      status: 'archived',
      service_key_hash: null,
      sealed_service_key: null,
      lease_expires_at: null,
      updated_at: ctx.now(),
    })
  })
}
