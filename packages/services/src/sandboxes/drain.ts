import type { BaseContext } from '@svc/context'
import { projects, sandboxes, type sessions } from '@svc/db'
import { sessionLimits } from '@svc/session'
import { z } from 'zod'
import { endpointOf } from './endpoint.ts'
import { askDaemon } from './daemon-client.ts'
import { serviceKey } from './provision/service-key.ts'

const Answer = z.object({ checkpoint: z.int().nullable() })

/**
 * Lets a sandbox finish before it ends: the running turn gets a moment and is then interrupted, its reports go out,
 * and the work in progress is saved. Bounded in time; a failure never keeps the sandbox from ending.
 */
export async function drainSandbox(
  ctx: Pick<BaseContext, 'db' | 'vault' | 'log'>,
  session: Pick<sessions.SessionView, 'session_id' | 'project_id' | 'status'>,
  why: string,
): Promise<void> {
  if (session.status !== 'running') return
  const { session_id } = session
  try {
    const [project, sandbox] = await Promise.all([
      projects.find(ctx.db, session.project_id),
      sandboxes.find(ctx.db, session_id),
    ])
    if (!project || !sandbox?.endpoint || sandbox.sealed_service_key === null) return
    // What was saved at an earlier end says nothing of this one.
    if (sandbox.saved_checkpoint !== null)
      await sandboxes.patch(ctx.db, session_id, { saved_checkpoint: null })
    const answer = await askDaemon(endpointOf(ctx, project, sandbox), {
      method: 'POST',
      path: '/svc/drain',
      service_key: serviceKey(ctx, project, sandbox),
      body: { why, within_ms: sessionLimits.drainMs },
      timeout_ms: sessionLimits.drainMs + 1_000,
    })
    if (answer.status !== 200) throw new Error(`The daemon answered ${answer.status}`)
    const { checkpoint } = Answer.parse(answer.body)
    if (checkpoint !== null) await sandboxes.patch(ctx.db, session_id, { saved_checkpoint: checkpoint })
    ctx.log.debug({ session_id, checkpoint }, 'a sandbox was drained')
  } catch (error) {
    ctx.log.warn({ err: error, session_id }, 'a sandbox was not drained before its end')
  }
}
