import { type Context, recordAudit } from '@svc/context'
import { projects, sandboxes, type sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import { ofSession } from '../sessions/audit.ts'
import { endpointOf } from './endpoint.ts'
import { askDaemon } from './daemon-client.ts'
import { notRunning } from './proxy/not-running.ts'
import { serviceKey } from './provision/service-key.ts'

type DriveContext = Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'vault' | 'log'>

const Refusal = z.object({
  message: z.string(),
  code: z.string().optional(),
  options: z.array(z.unknown()).optional(),
  feature: z.string().optional(),
})

/**
 * Has the daemon of a running session do an act that cannot be undone: the audit event is written first, and a second
 * one when the daemon did not do it. Returns the daemon's answer, and throws its refusals in its own words.
 */
export async function driveSandbox(
  ctx: DriveContext,
  session: sessions.SessionView,
  act: {
    readonly action: string
    readonly path: string
    readonly timeout_ms: number
    readonly body?: Readonly<Record<string, unknown>>
  },
): Promise<unknown> {
  const { session_id } = session
  const [project, sandbox] = await Promise.all([
    projects.find(ctx.db, session.project_id),
    sandboxes.find(ctx.db, session_id),
  ])
  if (session.status !== 'running' || !project || !sandbox?.endpoint) throw notRunning(session)
  const endpoint = endpointOf(ctx, project, sandbox)
  const service_key = serviceKey(ctx, project, sandbox)
  const entry = ofSession(act.action, session)
  await recordAudit(ctx, ctx.db, entry)
  try {
    const { path, timeout_ms, body } = act
    const request = {
      method: 'POST',
      path,
      service_key,
      timeout_ms,
      ...(body === undefined ? {} : { body }),
    } as const
    const answer = await askDaemon(endpoint, request).catch((error: unknown) => {
      ctx.log.warn({ err: error, session_id, path }, 'a sandbox did not do what it was asked')
      throw new ServiceError('sandbox_unreachable', 'The sandbox did not answer; try again')
    })
    if (answer.status === 200) return answer.body
    const refusal = Refusal.safeParse(answer.body)
    const { message: words, code, ...details } = refusal.data ?? { message: `It answered ${answer.status}` }
    if (code === 'RUNTIME_OPTION_INVALID' || code === 'RUNTIME_UNSUPPORTED')
      throw new ServiceError(code, words, details)
    if (code === 'refresh_blocked') throw new ServiceError('REFRESH_BLOCKED', words)
    throw new ServiceError('sandbox_unreachable', `The sandbox could not do it; try again. ${words}`)
  } catch (error) {
    await recordAudit(ctx, ctx.db, { ...entry, outcome: 'failed' })
    throw error
  }
}
