import { projects, sandboxes, sessions } from '@svc/db'
import { owns } from '@svc/sandbox'
import type { SandboxContext } from '../context.ts'
import { endpointOf } from './endpoint.ts'
import { isDaemonAlive } from './is-daemon-alive.ts'
import { claimSandbox } from './provision/claim.ts'
import { askDaemon } from './daemon-client.ts'
import { renewedEnvironment } from './renewed-environment.ts'
import { serviceKey } from './provision/service-key.ts'

const timeoutMs = 10_000

/**
 * Brings a running sandbox the secrets written since it got its own: first to its daemon, which restarts the agent
 * once it is idle, and then to the environment that its provider keeps for the next start.
 */
export async function renewSecrets(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  await claimSandbox(ctx, session_id, async (claim) => {
    const [session, sandbox, project] = await Promise.all([
      sessions.findById(ctx.db, session_id),
      sandboxes.find(ctx.db, session_id),
      projects.findOfSession(ctx.db, session_id),
    ])
    if (!session || session.deleted_at !== null || session.status !== 'running' || !project) return
    if (!sandbox || sandbox.external_id === null || sandbox.endpoint === null) return
    if (sandbox.secrets_owed === 0 || !owns(ctx.provider, sandbox.provider)) return
    const { external_id, secrets_owed } = sandbox
    const endpoint = endpointOf(ctx, project, sandbox)
    const kept = await ctx.provider.environment(external_id)
    // A daemon that does not answer is left to the check of running sandboxes.
    if (kept === null || !(await isDaemonAlive(endpoint))) return
    const renewed = await renewedEnvironment(ctx, claim, project, session, kept)
    if (renewed !== null) {
      const answer = await askDaemon(endpoint, {
        method: 'POST',
        path: '/svc/env',
        service_key: serviceKey(ctx, project, sandbox),
        body: renewed.change,
        timeout_ms: timeoutMs,
      })
      if (answer.status !== 200) throw new Error(`The daemon answered ${answer.status} to new secrets`)
      await ctx.provider.adopt?.(external_id, renewed.environment)
    }
    await claim.write((tx) => sandboxes.settleSecrets(tx, session_id, secrets_owed))
  })
}
