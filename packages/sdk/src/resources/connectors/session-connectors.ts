import type { connectorBindings as routes } from '@svc/contract'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'
import type { ConnectorBindings, SessionConnectorList } from '../../connector-types.ts'

/** The connectors that the agent of a session may call, and whose connections it calls them with. */
export interface SessionConnectors {
  get(project_id: string, session_id: string, options?: RequestOptions): Promise<SessionConnectorList>
  /**
   * Replaces the choices; the next call takes them. A connector that is not named goes back to a default. 400
   * `INVALID_SESSION_CONNECTOR_BINDINGS` with `issues`; 409 `PERSONAL_CONNECTOR_CONNECTION_REQUIRES_PRIVATE_SESSION` for
   * one's own connection in a shared session.
   */
  set(
    project_id: string,
    session_id: string,
    connector_bindings: ConnectorBindings,
    options?: RequestOptions,
  ): Promise<SessionConnectorList>
}

const path = '/v1/projects/{project_id}/sessions/{session_id}/connectors'

export function sessionConnectors(http: Http): SessionConnectors {
  return {
    get: (project_id, session_id, options = {}) =>
      http.call<typeof routes.getSessionConnectors>(`GET ${path}`, {
        ...options,
        params: { project_id, session_id },
      }),
    set: (project_id, session_id, connector_bindings, options = {}) =>
      http.call<typeof routes.setSessionConnectors>(`PUT ${path}`, {
        ...options,
        params: { project_id, session_id },
        body: { connector_bindings },
      }),
  }
}
