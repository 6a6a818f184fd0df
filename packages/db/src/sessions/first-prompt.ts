import { sql } from 'kysely'

/**
 * The beginning of the first prompt of session `s`, which names it in lists until it has a name. A prompt that was
 * delivered long ago is found among the events.
 */
export const firstPrompt = sql<string | null>`coalesce(
  (select left(text, 2000) from session_prompts where session_prompts.session_id = s.session_id
    order by position limit 1),
  (select left(payload ->> 'text', 2000) from session_events
    where session_events.session_id = s.session_id and type = 'prompt' order by seq limit 1))`
