import {
  projects,
  sandboxes,
  type SessionPromptRow,
  sessionPrompts,
  sessions,
  sessionWork,
  withClaim,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { lifecycle } from '@svc/session'
import type { SandboxContext } from '../context.ts'
import { wakeSession } from '../sessions/start.ts'
import { askDaemon } from './daemon-client.ts'
import { serviceKey } from './service-key.ts'

type DeliverContext = Omit<SandboxContext, 'provider'>

/** Hands the inbox of a session to its daemon, in order. The daemon knows a prompt by its id, so a repeat is harmless. */
export async function deliverPrompts(ctx: DeliverContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  await withClaim(ctx.locks, { session_id, work: 'prompts' }, async () => {
    const session = await sessions.findById(ctx.db, session_id)
    if (!session || session.deleted_at !== null || session.status === 'provisioning') return
    if (session.status !== 'running') return wakeFor(ctx, session)
    const pending = await sessionPrompts.listPending(ctx.db, session_id)
    if (pending.length > 0) await deliver(ctx, session, pending)
  })
}

async function deliver(
  ctx: DeliverContext,
  { session_id, project_id }: sessions.SessionView,
  pending: readonly SessionPromptRow[],
): Promise<void> {
  const [project, sandbox] = await Promise.all([
    projects.find(ctx.db, project_id),
    sandboxes.find(ctx.db, session_id),
  ])
  if (!project || !sandbox?.endpoint) return
  const key = serviceKey(ctx, project, sandbox)
  const { endpoint } = sandbox
  for (const { prompt_id } of pending) {
    // Read again: somebody may have withdrawn it since.
    const prompt = await sessionPrompts.find(ctx.db, { session_id, prompt_id })
    if (prompt?.state !== 'pending') continue
    await hand(endpoint, key, prompt).catch(async (error: unknown) => {
      await sandboxes.markUnreachable(ctx.db, session_id, ctx.now())
      throw error
    })
    await ctx.db.transaction().execute(async (tx) => {
      await sessions.lock(tx, session_id)
      await sessionPrompts.apply(tx, { session_id, prompt_id }, 'deliver', ctx.now())
      const used = { last_active_at: ctx.now(), updated_at: ctx.now(), unreachable_since: null }
      await sandboxes.patch(tx, session_id, used)
    })
  }
}

async function hand(endpoint: string, key: string, prompt: SessionPromptRow): Promise<void> {
  const { prompt_id, text, agent, model } = prompt
  const answer = await askDaemon(endpoint, {
    method: 'POST',
    path: '/svc/runtime/prompt',
    service_key: key,
    body: { prompt_id, text, ...(agent === null ? {} : { agent }), ...(model === null ? {} : { model }) },
    timeout_ms: 10_000,
  })
  if (answer.status !== 202) throw new Error(`The daemon answered ${answer.status} to a prompt`)
}

/**
 * Wakes a session for what was asked after it ended: a stop has the last word over what was asked before. One that
 * ended without anybody's wish is woken for all that it is owed, unless it ends again and again.
 */
async function wakeFor(ctx: DeliverContext, session: sessions.SessionView): Promise<void> {
  const query = { wakes: lifecycle.wakesAfterExit, session_id: session.session_id }
  if (!(await sessionWork.isOwedAWake(ctx.db, query))) return
  try {
    await wakeSession(ctx, session, 'owed')
  } catch (error) {
    // No room now: the delivery stays owed, and the sweep comes again.
    if (!(error instanceof ServiceError && error.code === 'session_limit_reached')) throw error
  }
}
