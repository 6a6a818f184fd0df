import type { connectorAuthorizations as routes } from '@svc/contract'
import type { BeginConnectorAuthorizationInput, ConnectorAuthorization } from '../../connector-types.ts'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'

/** Sign-ins at the service of a connector, in place of a stored credential: for MCP servers with OAuth. */
export interface Authorizations {
  /**
   * Finds who signs people in for it and gives the page to open in a browser, good for 10 minutes. 422
   * `issuer_not_usable` says why there is none.
   */
  begin(
    project_id: string,
    slug: string,
    input?: BeginConnectorAuthorizationInput,
    options?: RequestOptions,
  ): Promise<ConnectorAuthorization>
  /** Its state, for the person who began it: `returned` once the browser came back. */
  get(
    project_id: string,
    slug: string,
    authorization_id: string,
    options?: RequestOptions,
  ): Promise<ConnectorAuthorization>
  /** Makes the connection of what the browser came back with: `connected`, or `failed` with `error`. 409 before that. */
  finish(
    project_id: string,
    slug: string,
    authorization_id: string,
    options?: RequestOptions,
  ): Promise<ConnectorAuthorization>
}

const base = '/v1/projects/{project_id}/connectors/{slug}/authorizations'

export function authorizations(http: Http): Authorizations {
  return {
    begin: (project_id, slug, body = {}, options = {}) =>
      http.call<typeof routes.beginConnectorAuthorization>(`POST ${base}`, {
        ...options,
        params: { project_id, slug },
        body,
      }),
    get: (project_id, slug, authorization_id, options = {}) =>
      http.call<typeof routes.getConnectorAuthorization>(`GET ${base}/{authorization_id}`, {
        ...options,
        params: { project_id, slug, authorization_id },
      }),
    finish: (project_id, slug, authorization_id, options = {}) =>
      http.call<typeof routes.finishConnectorAuthorization>(`POST ${base}/{authorization_id}/finish`, {
        ...options,
        params: { project_id, slug, authorization_id },
      }),
  }
}
