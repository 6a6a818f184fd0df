import { projects, sandboxes, sessions } from '@svc/db'
import { type SandboxProvider, owns, type SandboxEndpoint } from '@svc/sandbox'
import { sessionLimits, type SessionFailure } from '@svc/session'
import type { SandboxContext } from '../context.ts'
import { changeStatus } from '../sessions/change-status.ts'
import { endpointOf } from './endpoint.ts'
import { claimSandbox } from './provision/claim.ts'
import { interruptTurns } from './interrupt-turns.ts'
import { isDaemonAlive } from './is-daemon-alive.ts'
import { withLogTail } from './log-tail.ts'

interface Ended {
  readonly how: 'exit' | 'gone'
  readonly failure: SessionFailure
}

/**
 * Compares a running session with what its provider says. A status that the provider does not know changes nothing. A
 * busy sandbox is reported to its provider as in use; a silent one is asked itself, and ended when it does not answer.
 */
export async function checkSandbox(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  const seen = await running(ctx, session_id)
  if (!seen) return
  if ((await findEnd(ctx, seen)) === null) return touch(ctx, seen)

  await claimSandbox(ctx, session_id, async (claim) => {
    const session = await running(ctx, session_id)
    const ended = session && (await findEnd(ctx, session))
    if (!session || !ended) return
    await claim.check()
    // Its daemon is gone; processes that the daemon started may live on. The last words of a sandbox that ended by
    // itself are kept.
    if (ended.how === 'exit') await ctx.provider.stop(session.external_id)
    const { failure } = ended
    await claim.write(async (tx) => {
      await sessions.lock(tx, session_id)
      const changed =
        ended.how === 'gone'
          ? await changeStatus(ctx, tx, session_id, 'fail', { failure })
          : await changeStatus(ctx, tx, session_id, 'exit', { stop_reason: 'sandbox_exited', failure })
      if (!changed) return
      await interruptTurns(ctx, tx, session_id, failure.message)
      const event = ended.how === 'gone' ? 'error' : 'stop'
      await sandboxes.apply(tx, session_id, event, { error: failure.message }, ctx.now())
      await sandboxes.patch(tx, session_id, { saved_checkpoint: null })
      await sandboxes.settleOwed(tx, session_id, 'stop')
    })
    await ctx.enqueue('session', 'prompts.deliver', { session_id })
  })
}

interface Running {
  readonly session_id: string
  readonly external_id: string
  readonly endpoint: () => Promise<SandboxEndpoint | null>
  readonly lease_expires_at: Date | null
  readonly unreachable_since: Date | null
}

/** The sandbox of a session that runs, when it is of this provider. */
async function running(ctx: SandboxContext, session_id: string): Promise<Running | undefined> {
  const [session, sandbox] = await Promise.all([
    sessions.findById(ctx.db, session_id),
    sandboxes.find(ctx.db, session_id),
  ])
  if (!session || !sandbox || session.deleted_at !== null || session.status !== 'running') return undefined
  if (sandbox.external_id === null || !owns(ctx.provider, sandbox.provider)) return undefined
  const endpoint = async () => {
    const project = sandbox.endpoint === null ? undefined : await projects.find(ctx.db, session.project_id)
    return project ? endpointOf(ctx, project, sandbox) : null
  }
  return { ...sandbox, external_id: sandbox.external_id, endpoint }
}

async function touch(ctx: SandboxContext, { session_id, external_id, lease_expires_at }: Running) {
  if (lease_expires_at === null || lease_expires_at <= ctx.now()) return
  await ctx.provider.touch(external_id).catch((error: unknown) => {
    ctx.log.warn({ err: error, session_id }, 'the provider was not told that a sandbox is in use')
  })
}

/** Null while it runs, as far as its provider and its daemon tell. */
async function findEnd(ctx: SandboxContext, sandbox: Running): Promise<Ended | null> {
  const { provider } = ctx
  const { external_id } = sandbox
  const status = await provider.status(external_id)
  switch (status) {
    case 'unknown':
      return null
    case 'removed': {
      const message = 'The sandbox and its files are gone'
      return { how: 'gone', failure: { category: 'gone', message, retryable: true } }
    }
    case 'stopped': {
      const { exit } = await provider.exitReport(external_id)
      const summary = `The sandbox ended by itself (${exit ?? 'no exit status known'}); its files are kept`
      return { how: 'exit', failure: await failure(provider, external_id, 'exited', summary) }
    }
    case 'running': {
      const silence = silenceOf(ctx, sandbox)
      if (silence === null) return null
      const endpoint = await sandbox.endpoint()
      if (endpoint === null || (await isDaemonAlive(endpoint))) return null
      return { how: 'exit', failure: await failure(provider, external_id, 'timeout', silence) }
    }
  }
}

/** The reason to doubt this sandbox; null while there is none. */
function silenceOf(
  ctx: Pick<SandboxContext, 'now'>,
  { lease_expires_at, unreachable_since }: Running,
): string | null {
  const now = ctx.now().getTime()
  const ended = (since: Date | null, ms: number) => since !== null && now - since.getTime() > ms
  if (ended(lease_expires_at, sessionLimits.leaseGraceMs))
    return 'The sandbox stopped answering in the middle of its work and was ended; its files are kept'
  if (ended(unreachable_since, sessionLimits.unreachableMs))
    return 'The sandbox took no prompts, did not answer and was ended; its files are kept'
  return null
}

async function failure(
  provider: SandboxProvider,
  external_id: string,
  category: SessionFailure['category'],
  summary: string,
): Promise<SessionFailure> {
  const { output } = await provider.exitReport(external_id)
  return { category, message: withLogTail(summary, output), retryable: true }
}
