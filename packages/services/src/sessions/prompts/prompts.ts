import { audited, type Context, decodeCursor, encodeCursor } from '@svc/context'
import { projects, sandboxes, type SessionPromptRow, sessionPrompts, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { promptMachine } from '@svc/session'
import { z } from 'zod'
import { endpointOf } from '../../sandboxes/endpoint.ts'
import { ofSession } from '../audit.ts'
import { askDaemon } from '../../sandboxes/daemon-client.ts'
import { serviceKey } from '../../sandboxes/provision/service-key.ts'
import type { SessionInput } from '../find-session.ts'
import { requireDriver, requireReader } from '../session-access.ts'
import { logEvents } from '../log/log-events.ts'

export interface ListPromptsInput extends SessionInput {
  readonly state?: SessionPromptRow['state'] | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

const Cursor = z.object({ position: z.int().min(0) })

/** The prompt queue of a session, oldest first. */
export async function listPrompts(ctx: Pick<Context, 'db' | 'principal'>, input: ListPromptsInput) {
  const after = input.cursor === undefined ? 0 : decodeCursor(Cursor, input.cursor).position
  const { session } = await requireReader(ctx, input)
  const query = {
    after,
    limit: input.limit + 1,
    ...(input.state === undefined ? {} : { states: [input.state] }),
  }
  const rows = await sessionPrompts.list(ctx.db, session.session_id, query)
  const page = rows.slice(0, input.limit)
  const last = rows.length > input.limit ? page.at(-1) : undefined
  return {
    prompts: page.map(presentPrompt),
    next_cursor: last ? encodeCursor({ position: last.position }) : null,
  }
}

function presentPrompt(row: SessionPromptRow) {
  const { prompt_id, state, text, source, agent, model, error, created_by, created_at, updated_at } = row
  return { prompt_id, state, text, source, agent, model, error, created_by, created_at, updated_at }
}

/**
 * Withdraws a prompt that has no turn yet. One that waits here is withdrawn at once; one that the sandbox has taken, as
 * long as the sandbox runs and gives it back.
 */
export async function cancelPrompt(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'vault' | 'log' | 'metrics'>,
  input: SessionInput & { readonly prompt_id: string },
) {
  const { session } = await requireDriver(ctx, input)
  const key = { session_id: session.session_id, prompt_id: input.prompt_id }
  const prompt = await sessionPrompts.find(ctx.db, key)
  if (!prompt) throw new ServiceError('not_found', 'There is no such prompt; list those of the session')
  if (prompt.state === 'cancelled') return presentPrompt(prompt)
  if (!promptMachine.accepts(prompt.state, 'cancel')) throw notCancellable(prompt.state)
  if (!(await recordCancel(ctx, session, key, 'pending'))) {
    await takeFromSandbox(ctx, session, input.prompt_id)
    await recordCancel(ctx, session, key, 'delivered')
  }
  const now = await sessionPrompts.find(ctx.db, key)
  if (now?.state !== 'cancelled') throw notCancellable(now?.state ?? prompt.state)
  return presentPrompt(now)
}

/** Undefined when the prompt is not where it was thought to be any more. */
async function recordCancel(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'metrics'>,
  session: sessions.SessionView,
  key: sessionPrompts.PromptKey,
  from: SessionPromptRow['state'],
): Promise<true | undefined> {
  const now = ctx.now()
  const entry = ofSession('cancelPrompt', session, `prompts/${key.prompt_id}`)
  return audited(ctx, entry, async (tx) => {
    await sessions.lock(tx, key.session_id)
    if ((await sessionPrompts.find(tx, key))?.state !== from) return undefined
    if (!(await sessionPrompts.apply(tx, key, 'cancel', now))) return undefined
    const payload = { prompt_id: key.prompt_id, state: 'cancelled' }
    await logEvents(ctx, tx, key.session_id, [{ type: 'prompt', at: now, payload }])
    return true
  })
}

async function takeFromSandbox(
  ctx: Pick<Context, 'db' | 'vault' | 'log'>,
  session: sessions.SessionView,
  prompt_id: string,
): Promise<void> {
  const [project, sandbox] = await Promise.all([
    projects.find(ctx.db, session.project_id),
    sandboxes.find(ctx.db, session.session_id),
  ])
  if (session.status !== 'running' || !project || !sandbox?.endpoint) {
    const message =
      session.status === 'provisioning'
        ? 'The sandbox that is on its way up has this prompt; withdraw it once the session runs'
        : 'The sandbox took this prompt before it ended; start the session to withdraw it'
    throw new ServiceError('PROMPT_NOT_CANCELLABLE', message, { state: 'delivered' })
  }
  const answer = await askDaemon(endpointOf(ctx, project, sandbox), {
    method: 'POST',
    path: '/svc/withdraw',
    service_key: serviceKey(ctx, project, sandbox),
    body: { prompt_id },
    timeout_ms: 5_000,
  }).catch((error: unknown) => {
    ctx.log.warn({ err: error, session_id: session.session_id }, 'a prompt was not given back')
    throw new ServiceError('sandbox_unreachable', 'The sandbox did not answer; try again')
  })
  if (answer.status !== 200) throw notCancellable('running')
}

function notCancellable(state: string): ServiceError {
  const message =
    state === 'running'
      ? 'The agent works on this prompt; stop the turn instead'
      : `A ${state} prompt cannot be withdrawn; send another one instead`
  return new ServiceError('PROMPT_NOT_CANCELLABLE', message, { state })
}
