import type { sessionPrompts as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import { type Listing, listing } from '../listing.ts'
import type { RequestOptions } from '../options.ts'
import type { InboxPrompt, ListPromptsQuery } from '../types.ts'

/**
 * The prompt queue of a session: the prompts sent to its agent, and how far each of them came. `sessions.prompt` sends.
 */
export interface Prompts {
  /** Oldest first. */
  list(
    project_id: string,
    session_id: string,
    query?: ListPromptsQuery,
    options?: RequestOptions,
  ): Listing<InboxPrompt>
  /** Withdraws a prompt whose turn has not begun, else 409 `PROMPT_NOT_CANCELLABLE` with `details.state`. */
  cancel(
    project_id: string,
    session_id: string,
    prompt_id: string,
    options?: RequestOptions,
  ): Promise<InboxPrompt>
}

const base = '/v1/projects/{project_id}/sessions/{session_id}/prompts'

export function prompts(http: Http): Prompts {
  return {
    list: (project_id, session_id, query = {}, options = {}) =>
      listing(async (cursor) => {
        const page = await http.call<typeof routes.listPrompts>(`GET ${base}`, {
          ...options,
          params: { project_id, session_id },
          query: { ...query, cursor },
        })
        return { items: page.prompts, next_cursor: page.next_cursor }
      }, query.cursor),
    cancel: (project_id, session_id, prompt_id, options = {}) =>
      http.call<typeof routes.cancelPrompt>(`DELETE ${base}/{prompt_id}`, {
        ...options,
        params: { project_id, session_id, prompt_id },
      }),
  }
}
