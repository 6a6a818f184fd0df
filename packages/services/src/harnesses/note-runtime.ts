import type { SandboxPrincipal } from '@svc/access'
import type { BaseContext } from '@svc/context'
import { type RuntimeInfo, sessionRuntimes, sessions } from '@svc/db'
import { measureRuntime } from './measure-harness.ts'

/** Keeps a sandbox's word on the agent that runs in it; one of an earlier process, or sandbox, changes nothing. */
export async function noteRuntime(
  ctx: Pick<BaseContext, 'db' | 'now' | 'metrics'>,
  own: SandboxPrincipal,
  info: RuntimeInfo & { readonly session_id?: string; readonly ready_ms?: number | undefined },
): Promise<void> {
  const { session_id: _session, ...said } = info
  await ctx.db.transaction().execute(async (tx) => {
    await sessions.lock(tx, own.session_id)
    measureRuntime(ctx, await sessionRuntimes.find(tx, own.session_id), said)
    await sessionRuntimes.note(tx, own.session_id, said, ctx.now())
  })
}
