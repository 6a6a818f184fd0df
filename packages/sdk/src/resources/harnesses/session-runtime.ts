import type { sessionRuntime as routes } from '@svc/contract'
import type { RuntimeConfig, SessionRuntime } from '../../harness-types.ts'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'

/** The agent program of a session; `client.runtime` reaches into its sandbox. */
export interface SessionRuntimes {
  /** Its abilities, options and commands, also while its sandbox is away. */
  get(project_id: string, session_id: string, options?: RequestOptions): Promise<SessionRuntime>
  /**
   * Sets options of it, such as its mode. 400 `RUNTIME_OPTION_INVALID` with the `options` that there are; 409
   * `RUNTIME_UNSUPPORTED` for a runtime without any, `SESSION_NOT_RUNNING` where nothing is up.
   */
  set(
    project_id: string,
    session_id: string,
    config: RuntimeConfig,
    options?: RequestOptions,
  ): Promise<SessionRuntime>
}

const path = '/v1/projects/{project_id}/sessions/{session_id}/runtime'

export function sessionRuntimes(http: Http): SessionRuntimes {
  return {
    get: (project_id, session_id, options = {}) =>
      http.call<typeof routes.getSessionRuntime>(`GET ${path}`, {
        ...options,
        params: { project_id, session_id },
      }),
    set: (project_id, session_id, config, options = {}) =>
      http.call<typeof routes.setSessionRuntime>(`PATCH ${path}`, {
        ...options,
        params: { project_id, session_id },
        body: { config },
      }),
  }
}
