import type { BaseContext } from '@svc/context'
import type { sessionEvents, SessionPromptRow } from '@svc/db'

export interface Prompt {
  readonly text: string
  readonly source: SessionPromptRow['source']
  /** Counts once in its session; null for what may be said twice. */
  readonly dedupe_key: string | null
  /** The user in whose name it is put. */
  readonly by: string
  readonly agent?: string | null
  readonly model?: string | null
}

/** A prompt's row, and the event that tells of it in the session's log. */
export function newPrompt(
  ctx: Pick<BaseContext, 'now' | 'newId' | 'traceparent'>,
  session_id: string,
  { text, source, dedupe_key, by, agent = null, model = null }: Prompt,
) {
  const at = ctx.now()
  const prompt_id = ctx.newId()
  const times = { created_at: at, updated_at: at }
  return {
    row: {
      prompt_id,
      session_id,
      text,
      source,
      agent,
      model,
      error: null,
      dedupe_key,
      traceparent: ctx.traceparent ?? null,
      created_by: by,
      ...times,
    },
    event: {
      type: 'prompt',
      at,
      payload: { prompt_id, text, source },
    } satisfies sessionEvents.NewSessionEvent,
  }
}
