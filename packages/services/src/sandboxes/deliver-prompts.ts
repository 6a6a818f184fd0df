import { startsAreOpen } from '@svc/context'
import {
  type Db,
  projects,
  sandboxes,
  type SessionPromptRow,
  sessionPrompts,
  sessions,
  sessionWork,
  withClaim,
} from '@svc/db'
import { sessionLimits } from '@svc/session'
import { z } from 'zod'
import type { SandboxEndpoint } from '@svc/sandbox'
import type { SandboxContext } from '../context.ts'
import { isWithoutPlace } from '../sessions/creation/cap.ts'
import { wakeSession } from '../sessions/wake.ts'
import { endpointOf } from './endpoint.ts'
import { askDaemon } from './daemon-client.ts'
import { serviceKey } from './provision/service-key.ts'
import { logEvents } from '../sessions/log/log-events.ts'
import { withFiles } from './put-files.ts'
import { withUnreadCalls } from './unread-calls.ts'

type DeliverContext = Omit<SandboxContext, 'provider'>

/** Hands the prompt queue of a session to its daemon, in order. The daemon knows a prompt by its id, so a repeat is harmless. */
export async function deliverPrompts(ctx: DeliverContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  // The sweep comes again when the maintenance is over.
  if (!startsAreOpen(ctx)) return
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
  if (!project || !sandbox?.endpoint || sandbox.service_key_hash === null) return
  const key = serviceKey(ctx, project, sandbox)
  const { service_key_hash } = sandbox
  const endpoint = endpointOf(ctx, project, sandbox)
  for (const [index, { prompt_id }] of pending.entries()) {
    // Read again: a caller may have withdrawn it since.
    const prompt = await sessionPrompts.find(ctx.db, { session_id, prompt_id })
    if (prompt?.state !== 'pending') continue
    const words = index === 0 ? await withUnreadCalls(ctx.db, session_id, prompt.text) : prompt.text
    const give = async () => {
      const text = await withFiles(ctx.db, { endpoint, key }, { ...prompt, text: words })
      return hand(endpoint, key, { ...prompt, text })
    }
    const refusal = await give().catch(async (error: unknown) => {
      await sandboxes.markUnreachable(ctx.db, session_id, ctx.now())
      throw error
    })
    const counts = await ctx.db.transaction().execute(async (tx) => {
      await sessions.lock(tx, session_id)
      const used = { last_active_at: ctx.now(), updated_at: ctx.now(), unreachable_since: null }
      if (!(await sandboxes.patchOwn(tx, { session_id, service_key_hash }, used))) return false
      if (refusal === null) await sessionPrompts.apply(tx, { session_id, prompt_id }, 'deliver', ctx.now())
      else await refusePrompt(ctx, tx, prompt, refusal)
      return true
    })
    // Replaced meanwhile: the prompt waits for the sandbox that took its place.
    if (!counts) return
    const outcome = refusal === null ? 'delivered' : 'failed'
    const took_ms = ctx.now().getTime() - prompt.created_at.getTime()
    ctx.metrics.observe('svc_prompt_delivery_seconds', { outcome }, took_ms / 1000)
  }
}

/** Fails a prompt that the sandbox refuses, with its words, so that it never keeps back the prompts after it. */
async function refusePrompt(
  ctx: DeliverContext,
  tx: Db,
  { session_id, prompt_id }: SessionPromptRow,
  refusal: string,
): Promise<void> {
  const now = ctx.now()
  const error = `The sandbox refused this prompt: ${refusal}`
  if (!(await sessionPrompts.apply(tx, { session_id, prompt_id }, 'fail', now, { error }))) return
  const payload = { prompt_id, state: 'end', status: 'error', error }
  await logEvents(ctx, tx, session_id, [{ type: 'turn', at: now, payload }])
}

const Refusal = z.object({ message: z.string() })

/** Null when the daemon has it; why not, when it would refuse it again. */
async function hand(
  endpoint: SandboxEndpoint,
  key: string,
  prompt: SessionPromptRow,
): Promise<string | null> {
  const { prompt_id, text, agent, model } = prompt
  const answer = await askDaemon(endpoint, {
    method: 'POST',
    path: '/svc/runtime/prompt',
    service_key: key,
    body: { prompt_id, text, ...(agent === null ? {} : { agent }), ...(model === null ? {} : { model }) },
    timeout_ms: 10_000,
  })
  if (answer.status === 202) return null
  if (answer.status !== 400 && answer.status !== 413)
    throw new Error(`The daemon answered ${answer.status} to a prompt`)
  const refusal = Refusal.safeParse(answer.body)
  return refusal.success ? refusal.data.message : `it answered ${answer.status}`
}

/**
 * Wakes a session for prompts that came after it ended: a stop has the last word over prompts before it. A session
 * that no caller stopped is woken for all that it is owed, unless it ends again and again.
 */
async function wakeFor(ctx: DeliverContext, session: sessions.SessionView): Promise<void> {
  const query = { wakes: sessionLimits.wakesAfterExit, session_id: session.session_id }
  if (!(await sessionWork.isOwedAWake(ctx.db, query))) return
  try {
    await wakeSession(ctx, session, 'owed')
  } catch (error) {
    // No room now: the delivery stays owed, and the sweep comes again.
    if (!isWithoutPlace(error)) throw error
  }
}
