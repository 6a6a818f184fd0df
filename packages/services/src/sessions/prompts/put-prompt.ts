import type { BaseContext } from '@svc/context'
import { type Db, type SessionPromptRow, sessionPrompts, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { isWithoutPlace } from '../creation/cap.ts'
import { newPrompt, type Prompt } from './new-prompt.ts'
import type { OwedJob } from '../owed-jobs.ts'
import { requireRoomToWake, type Sleeper, wakeLocked } from '../wake.ts'
import { logEvents } from '../log/log-events.ts'

export interface PutPromptInput extends Prompt {
  /** Without room to wake the session, a prompt is refused (the default), or kept until there is. */
  readonly without_room?: 'refuse' | 'keep'
}

export type PutPrompt =
  /** `jobs` are owed once the transaction has ended. */
  | { readonly kind: 'put'; readonly prompt_id: string; readonly jobs: readonly OwedJob[] }
  | { readonly kind: 'repeated'; readonly prompt: SessionPromptRow }
  /** The session was deleted. */
  | { readonly kind: 'gone' }

/**
 * Puts a prompt into the queue of a session, in the transaction of the caller: its row, its event and the wake of a
 * session that sleeps. Every prompt comes by here but the first, which is written with its session.
 */
export async function putPrompt(
  ctx: Pick<BaseContext, 'now' | 'newId' | 'settings' | 'maintenance' | 'metrics' | 'traceparent'>,
  tx: Db,
  session: Sleeper,
  { without_room = 'refuse', ...prompt }: PutPromptInput,
): Promise<PutPrompt> {
  const { session_id } = session
  const earlier = await repeated(tx, session_id, prompt)
  if (earlier !== null) return earlier
  const has_room = await roomToWake(ctx, tx, session, without_room)
  const current = await sessions.lock(tx, session_id)
  if (!current || current.deleted_at !== null) return { kind: 'gone' }
  const { row, event } = newPrompt(ctx, session_id, prompt)
  if (!(await sessionPrompts.insert(tx, row)))
    return (await repeated(tx, session_id, prompt)) ?? { kind: 'gone' }
  const woken = has_room && (await wakeLocked(ctx, tx, session_id))
  await logEvents(ctx, tx, session_id, [event], woken ? undefined : current)
  const deliver: OwedJob = { session_id, job: 'prompts.deliver' }
  const jobs: OwedJob[] = woken ? [{ session_id, job: 'sandbox.provision' }, deliver] : [deliver]
  return { kind: 'put', prompt_id: row.prompt_id, jobs }
}

async function repeated(tx: Db, session_id: string, { dedupe_key }: Prompt): Promise<PutPrompt | null> {
  if (dedupe_key === null) return null
  const prompt = await sessionPrompts.findByDedupeKey(tx, { session_id, dedupe_key })
  return prompt === undefined ? null : { kind: 'repeated', prompt }
}

async function roomToWake(
  ctx: Pick<BaseContext, 'settings' | 'maintenance'>,
  tx: Db,
  session: Sleeper,
  without_room: 'refuse' | 'keep',
): Promise<boolean> {
  try {
    await requireRoomToWake(ctx, tx, session)
    return true
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // A prompt is never refused for a maintenance: it waits for the end.
    if (error.code === 'maintenance') return false
    if (without_room === 'keep' && isWithoutPlace(error)) return false
    throw error
  }
}
