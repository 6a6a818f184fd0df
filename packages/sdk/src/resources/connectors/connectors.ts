import type { connectors as routes } from '@svc/contract'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'
import type {
  AcceptConnectorActionsInput,
  CommittedConnector,
  CreateConnectorInput,
  Connector,
  ConnectorAction,
  ConnectorList,
  ConnectorPolicyTest,
  TestConnectorPolicyInput,
} from '../../connector-types.ts'
import type { TriggerProposal } from '../../types.ts'
import { authorizations, type Authorizations } from './authorizations.ts'
import { connections, type Connections } from './connections.ts'

/** Other people's services, which a project declares in its manifest and agents use through the platform. */
export interface Connectors {
  /** Those of the default branch; `errors` are the ones whose actions cannot be read. */
  list(project_id: string, options?: RequestOptions): Promise<ConnectorList>
  get(project_id: string, slug: string, options?: RequestOptions): Promise<Connector>
  /**
   * Commits to the manifest. 409 when the slug is taken, 400 with `issues` when the entry is not valid. Asked for with a
   * session's token, it answers the change request that proposes it.
   */
  create(
    project_id: string,
    input: CreateConnectorInput,
    options?: RequestOptions,
  ): Promise<CommittedConnector | TriggerProposal>
  /** Takes it out of the manifest; proposed by a session, as for `create`. */
  delete(
    project_id: string,
    slug: string,
    options?: RequestOptions,
  ): Promise<CommittedConnector | TriggerProposal>
  /** With what would become of a call of each; `query` are words to search for. */
  actions(
    project_id: string,
    slug: string,
    query?: { query?: string },
    options?: RequestOptions,
  ): Promise<readonly ConnectorAction[]>
  /** Reads its actions from its service anew. */
  sync(project_id: string, slug: string, options?: RequestOptions): Promise<Connector>
  /** Says that changed actions were looked at. 409 `CATALOGUE_STALE` once they changed again. */
  accept(
    project_id: string,
    slug: string,
    input: AcceptConnectorActionsInput,
    options?: RequestOptions,
  ): Promise<Connector>
  /** The decision on a call, the rule that made it, and why each other rule did not. Calls nothing. */
  testPolicy(
    project_id: string,
    slug: string,
    input: TestConnectorPolicyInput,
    options?: RequestOptions,
  ): Promise<ConnectorPolicyTest>
  readonly connections: Connections
  readonly authorizations: Authorizations
}

const base = '/v1/projects/{project_id}/connectors'

export function connectors(http: Http): Connectors {
  return {
    list: (project_id, options = {}) =>
      http.call<typeof routes.listConnectors>(`GET ${base}`, { ...options, params: { project_id } }),
    get: (project_id, slug, options = {}) =>
      http.call<typeof routes.getConnector>(`GET ${base}/{slug}`, {
        ...options,
        params: { project_id, slug },
      }),
    create: (project_id, body, options = {}) =>
      http.call<typeof routes.createConnector>(`POST ${base}`, { ...options, params: { project_id }, body }),
    delete: (project_id, slug, options = {}) =>
      http.call<typeof routes.deleteConnector>(`DELETE ${base}/{slug}`, {
        ...options,
        params: { project_id, slug },
      }),
    actions: async (project_id, slug, query = {}, options = {}) => {
      const params = { project_id, slug }
      const answer = await http.call<typeof routes.listConnectorActions>(`GET ${base}/{slug}/actions`, {
        ...options,
        params,
        query,
      })
      return answer.actions
    },
    sync: (project_id, slug, options = {}) =>
      http.call<typeof routes.syncConnector>(`POST ${base}/{slug}/sync`, {
        ...options,
        params: { project_id, slug },
      }),
    accept: (project_id, slug, body, options = {}) =>
      http.call<typeof routes.acceptConnectorActions>(`POST ${base}/{slug}/actions/accept`, {
        ...options,
        params: { project_id, slug },
        body,
      }),
    testPolicy: (project_id, slug, body, options = {}) =>
      http.call<typeof routes.testConnectorPolicy>(`POST ${base}/{slug}/policies/test`, {
        ...options,
        params: { project_id, slug },
        body,
      }),
    connections: connections(http),
    authorizations: authorizations(http),
  }
}
