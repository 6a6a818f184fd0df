import type { sessionPrompts, sessions as routes } from '@svc/contract'
import { requestPath } from '../http/api-url.ts'
import { type Http, parseAnswer } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type { AskAnswer, PendingAsk } from '../types.ts'

/** The requests of the agent that wait for a person's answer: permissions and questions. */
export interface Asks {
  /**
   * The requests of the running agent, oldest first; none while the session does not run. 502 `sandbox_unreachable`.
   */
  list(project_id: string, session_id: string, options?: RequestOptions): Promise<readonly PendingAsk[]>
  /** 409 `ASK_NOT_PENDING` when the agent does not wait for it any more, 400 when the answer is not of its kind. */
  answer(
    project_id: string,
    session_id: string,
    request_id: string,
    answer: AskAnswer,
    options?: RequestOptions,
  ): Promise<void>
}

const session = '/v1/projects/{project_id}/sessions/{session_id}'

export function asks(http: Http): Asks {
  return {
    list: async (project_id, session_id, options = {}) => {
      const { status, external_id } = await http.call<typeof routes.getSession>(`GET ${session}`, {
        ...options,
        params: { project_id, session_id },
      })
      if (status !== 'running' || external_id === null) return []
      const path = requestPath('/v1/p/{external_id}/8000/svc/runtime/state', { external_id })
      const answer = await http.send({ method: 'GET', path, ...options })
      return parseAnswer<{ asks: readonly PendingAsk[] }>(answer).asks
    },
    answer: async (project_id, session_id, request_id, body, options = {}) => {
      await http.call<typeof sessionPrompts.answerAsk>(`POST ${session}/asks/{request_id}`, {
        ...options,
        params: { project_id, session_id, request_id },
        body,
      })
    },
  }
}
