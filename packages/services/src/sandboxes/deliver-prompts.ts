import { projects, sandboxes, type SessionPromptRow, sessionPrompts, sessions, withLock } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { SandboxContext } from '../context.ts'
import { wakeSession } from '../sessions/start.ts'
import { askDaemon } from './daemon-client.ts'
import { serviceKey } from './service-key.ts'

/** Hands the inbox of a session to its daemon, in order. The daemon knows a prompt by its id, so a repeat is harmless. */
export async function deliverPrompts(
  ctx: Omit<SandboxContext, 'provider'>,
  input: { session_id: string },
): Promise<void> {
  const { session_id } = input
  await withLock(ctx.locks, `prompts:${session_id}`, async () => {
    const pending = await sessionPrompts.listPending(ctx.db, session_id)
    if (pending.length === 0) return
    const session = await sessions.findById(ctx.db, session_id)
    if (!session || session.deleted_at !== null) return
    if (session.status !== 'running') return wakeFor(ctx, session, pending)

    const [project, sandbox] = await Promise.all([
      projects.find(ctx.db, session.project_id),
      sandboxes.find(ctx.db, session_id),
    ])
    if (!project || !sandbox?.endpoint) return
    const key = serviceKey(ctx, project, sandbox)
    for (const prompt of pending) {
      const { prompt_id, text, agent, model } = prompt
      const answer = await askDaemon(sandbox.endpoint, {
        method: 'POST',
        path: '/svc/runtime/prompt',
        service_key: key,
        body: { prompt_id, text, ...(agent === null ? {} : { agent }), ...(model === null ? {} : { model }) },
        timeout_ms: 10_000,
      })
      if (answer.status !== 202) throw new Error(`The daemon answered ${answer.status} to a prompt`)
      await sessionPrompts.move(ctx.db, { session_id, prompt_id }, ['pending'], 'delivered', ctx.now())
      await sandboxes.patch(ctx.db, session_id, { last_active_at: ctx.now(), updated_at: ctx.now() })
    }
  })
}

/** Wakes a session for what was asked after it ended: a stop has the last word over what was asked before. */
async function wakeFor(
  ctx: Omit<SandboxContext, 'provider'>,
  session: sessions.SessionView,
  pending: readonly SessionPromptRow[],
): Promise<void> {
  const { stopped_at } = session
  if (stopped_at === null || !pending.some((prompt) => prompt.created_at > stopped_at)) return
  try {
    await wakeSession(ctx, session)
  } catch (error) {
    // No room now: the delivery stays owed, and the sweep comes again.
    if (!(error instanceof ServiceError && error.code === 'session_limit_reached')) throw error
  }
}
