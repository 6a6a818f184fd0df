import { type Context, recordAudit, requireActor } from '@svc/context'
import type { SessionPromptRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { ofSession } from '../audit.ts'
import { checkIdempotencyKey } from '../creation/create-input.ts'
import type { SessionInput } from '../find-session.ts'
import { enqueueOwed } from '../owed-jobs.ts'
import { putPrompt } from './put-prompt.ts'
import { requireDriver } from '../session-access.ts'

export interface PromptInput extends SessionInput {
  readonly text: string
  readonly agent?: string | undefined
  readonly model?: string | undefined
  readonly idempotency_key?: string | undefined
}

/** The parts by which a person's words reach an agent, and wake it. */
export type PromptContext = Pick<
  Context,
  | 'db'
  | 'principal'
  | 'now'
  | 'newId'
  | 'trail'
  | 'enqueue'
  | 'settings'
  | 'maintenance'
  | 'metrics'
  | 'traceparent'
>

/** Keeps the message and sees to its delivery: a sleeping sandbox is woken for it. */
export async function promptSession(
  ctx: PromptContext,
  input: PromptInput,
): Promise<Pick<SessionPromptRow, 'prompt_id' | 'state'>> {
  const { idempotency_key, text, agent = null, model = null } = input
  if (idempotency_key !== undefined) checkIdempotencyKey(idempotency_key)
  const { session } = await requireDriver(ctx, input)
  const by = requireActor(ctx)
  const dedupe_key = idempotency_key === undefined ? null : `key:${by}:${idempotency_key}`
  const asked = { text, agent, model }
  const put = await ctx.db.transaction().execute(async (tx) => {
    const put = await putPrompt(ctx, tx, session, { ...asked, source: 'user', dedupe_key, by })
    if (put.kind === 'put')
      await recordAudit(ctx, tx, ofSession('promptSession', session, `prompts/${put.prompt_id}`))
    return put
  })
  switch (put.kind) {
    case 'gone':
      throw new ServiceError('not_found', 'There is no such session; list those of the project')
    case 'repeated':
      return repeatOf(put.prompt, asked)
    case 'put': {
      await enqueueOwed(ctx, put.jobs)
      return { prompt_id: put.prompt_id, state: 'pending' }
    }
  }
}

/** The answer that an earlier request with this key has had, or would have by now. */
function repeatOf(
  { prompt_id, state, ...known }: SessionPromptRow,
  { text, agent, model }: Pick<SessionPromptRow, 'text' | 'agent' | 'model'>,
): Pick<SessionPromptRow, 'prompt_id' | 'state'> {
  if (known.text === text && known.agent === agent && known.model === model) return { prompt_id, state }
  throw new ServiceError(
    'IDEMPOTENCY_KEY_CONFLICT',
    'This Idempotency-Key was used by another prompt; use a new key',
  )
}
