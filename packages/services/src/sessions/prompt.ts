import { type Db, sessionEvents, sessionPrompts } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { requireActor } from '../access/require.ts'
import { audited } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { ofSession } from './audit.ts'
import { checkIdempotencyKey } from './create-input.ts'
import type { SessionInput } from './find-session.ts'
import { requireDriver } from './session-access.ts'
import { wakeInside } from './start.ts'

export interface PromptInput extends SessionInput {
  readonly text: string
  readonly agent?: string | undefined
  readonly model?: string | undefined
  readonly idempotency_key?: string | undefined
}

/** Keeps the message and sees to its delivery: a sleeping sandbox is woken for it. */
export async function promptSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'enqueue' | 'settings'>,
  input: PromptInput,
) {
  const { idempotency_key, text, agent = null, model = null } = input
  if (idempotency_key !== undefined) checkIdempotencyKey(idempotency_key)
  const { session } = await requireDriver(ctx, input)
  const { session_id } = session
  const created_by = requireActor(ctx)
  const now = ctx.now()
  const prompt = {
    prompt_id: ctx.newId(),
    session_id,
    text,
    source: 'user' as const,
    agent,
    model,
    error: null,
    dedupe_key: idempotency_key === undefined ? null : `key:${created_by}:${idempotency_key}`,
    created_by,
    created_at: now,
    updated_at: now,
  }
  const { prompt_id } = prompt
  const earlier = await replay(ctx.db, prompt)
  if (earlier) return earlier

  const entry = ofSession('promptSession', session, `prompts/${prompt_id}`)
  const write = audited(ctx, entry, async (tx) => {
    // Refused before it is kept when there is no room to wake the session; logged first, which orders the inbox too.
    const wakes = await wakeInside(ctx, tx, session)
    const payload = { prompt_id, text, source: 'user' }
    await sessionEvents.append(tx, session_id, [{ type: 'prompt', at: now, payload }])
    if (!(await sessionPrompts.insert(tx, prompt))) throw new KeyTaken()
    return { wakes }
  })
  const written = await write.catch((error: unknown) => {
    if (error instanceof KeyTaken) return null
    throw error
  })
  if (written === null) {
    const winner = await replay(ctx.db, prompt)
    if (winner) return winner
    throw keyConflict()
  }
  if (written.wakes) await ctx.enqueue('session', 'sandbox.provision', { session_id })
  await ctx.enqueue('session', 'prompts.deliver', { session_id })
  return { prompt_id, state: 'pending' as const }
}

/** Undoes what was written for a prompt that another request with its key has sent meanwhile. */
class KeyTaken extends Error {}

interface Keyed {
  readonly session_id: string
  readonly text: string
  readonly agent: string | null
  readonly model: string | null
  readonly dedupe_key: string | null
}

/** What an earlier request with this key was answered, or would be by now; null when there is none. */
async function replay(db: Db, { session_id, text, agent, model, dedupe_key }: Keyed) {
  if (dedupe_key === null) return null
  const known = await sessionPrompts.findByDedupeKey(db, { session_id, dedupe_key })
  if (!known) return null
  if (known.text !== text || known.agent !== agent || known.model !== model) throw keyConflict()
  return { prompt_id: known.prompt_id, state: known.state }
}

function keyConflict(): ServiceError {
  return new ServiceError('IDEMPOTENCY_KEY_CONFLICT', 'This Idempotency-Key was used by another prompt')
}
