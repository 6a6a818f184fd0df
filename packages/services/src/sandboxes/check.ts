import { sandboxes, sessions, withLock } from '@svc/db'
import type { SandboxProvider } from '@svc/sandbox'
import type { SessionFailure } from '@svc/session'
import type { SandboxContext } from '../context.ts'
import { changeStatus } from '../sessions/change-status.ts'
import { interruptTurns } from './interrupt-turns.ts'
import { withLastWords } from './last-words.ts'
import { sessionLock } from './provision.ts'

/** Compares a running session with what its provider says. A status that the provider does not know changes nothing. */
export async function checkSandbox(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  await withLock(ctx.locks, sessionLock(session_id), async () => {
    const session = await sessions.findById(ctx.db, session_id)
    if (
      !session ||
      session.deleted_at !== null ||
      session.status !== 'running' ||
      session.external_id === null
    )
      return
    if (session.sandbox_provider !== ctx.provider.name) return
    const status = await ctx.provider.status(session.external_id)
    if (status === 'running' || status === 'unknown') return

    const failure = await confirmedEnd(ctx.provider, session.external_id, status)
    // Its daemon is gone; what the daemon had started may live on. What ended by itself keeps its last words.
    if (status === 'stopped') await ctx.provider.stop(session.external_id)
    await ctx.db.transaction().execute(async (tx) => {
      const ended =
        status === 'removed'
          ? await changeStatus(ctx, tx, session_id, 'fail', { failure })
          : await changeStatus(ctx, tx, session_id, 'exit', { stop_reason: 'sandbox_exited', failure })
      if (!ended) return
      await interruptTurns(ctx, tx, session_id, failure.message)
      await sandboxes.apply(tx, session_id, status === 'removed' ? 'error' : 'stop', {
        status: status === 'removed' ? 'error' : 'stopped',
        error: failure.message,
        lease_expires_at: null,
        updated_at: ctx.now(),
      })
    })
  })
}

async function confirmedEnd(
  provider: SandboxProvider,
  external_id: string,
  status: 'stopped' | 'removed',
): Promise<SessionFailure> {
  if (status === 'removed')
    return { category: 'gone', message: 'The sandbox and its files are gone', retryable: true }
  const { exit, output } = await provider.lastWords(external_id)
  const message = withLastWords(
    `The sandbox ended by itself (${exit ?? 'no exit status known'}); its files are kept`,
    output,
  )
  return { category: 'exited', message, retryable: true }
}
