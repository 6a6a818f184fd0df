import { sessionEvents, sessionPrompts } from '@svc/db'
import { requireActor } from '../access/require.ts'
import { audited } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { ofSession } from './audit.ts'
import type { SessionInput } from './find-session.ts'
import { requireDriver } from './session-access.ts'
import { wakeInside } from './start.ts'

export interface PromptInput extends SessionInput {
  readonly text: string
  readonly agent?: string | undefined
  readonly model?: string | undefined
}

/** Keeps the message and sees to its delivery: a sleeping sandbox is woken for it. */
export async function promptSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'enqueue' | 'settings'>,
  input: PromptInput,
) {
  const { session } = await requireDriver(ctx, input)
  const { session_id } = session
  const created_by = requireActor(ctx)
  const now = ctx.now()
  const prompt_id = ctx.newId()
  const entry = ofSession('promptSession', session, `prompts/${prompt_id}`)
  const woken = await audited(ctx, entry, async (tx) => {
    // Refused before it is kept when there is no room to wake the session; logged first, which orders the inbox too.
    const wakes = await wakeInside(ctx, tx, session)
    const payload = { prompt_id, text: input.text, source: 'user' }
    await sessionEvents.append(tx, session_id, [{ type: 'prompt', at: now, payload }])
    await sessionPrompts.insert(tx, {
      prompt_id,
      session_id,
      text: input.text,
      source: 'user',
      agent: input.agent ?? null,
      model: input.model ?? null,
      error: null,
      dedupe_key: null,
      created_by,
      created_at: now,
      updated_at: now,
    })
    return wakes
  })
  if (woken) await ctx.enqueue('session', 'sandbox.provision', { session_id })
  await ctx.enqueue('session', 'prompts.deliver', { session_id })
  return { prompt_id, state: 'pending' as const }
}
