import type { connectors as routes } from '@svc/contract'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'
import type {
  Connection,
  ConnectionTest,
  CreateConnectionInput,
  UpdateConnectionInput,
} from '../../connector-types.ts'

/** The credentials that a connector is called with: the project's, and one's own. No answer has a value of one. */
export interface Connections {
  list(project_id: string, slug: string, options?: RequestOptions): Promise<readonly Connection[]>
  /** 400 with `issues` names the fields that its auth type lacks or does not have. */
  create(
    project_id: string,
    slug: string,
    input: CreateConnectionInput,
    options?: RequestOptions,
  ): Promise<Connection>
  update(
    project_id: string,
    slug: string,
    connection_id: string,
    input: UpdateConnectionInput,
    options?: RequestOptions,
  ): Promise<Connection>
  /** Forgets the credential; the connection as it was is `revoked`. */
  delete(
    project_id: string,
    slug: string,
    connection_id: string,
    options?: RequestOptions,
  ): Promise<Connection>
  /** Whether it works, and in how many milliseconds; it changes nothing. */
  test(
    project_id: string,
    slug: string,
    connection_id: string,
    options?: RequestOptions,
  ): Promise<ConnectionTest>
}

const base = '/v1/projects/{project_id}/connectors/{slug}/connections'

export function connections(http: Http): Connections {
  return {
    list: async (project_id, slug, options = {}) => {
      const params = { project_id, slug }
      const answer = await http.call<typeof routes.listConnections>(`GET ${base}`, { ...options, params })
      return answer.connections
    },
    create: (project_id, slug, body, options = {}) =>
      http.call<typeof routes.createConnection>(`POST ${base}`, {
        ...options,
        params: { project_id, slug },
        body,
      }),
    update: (project_id, slug, connection_id, body, options = {}) =>
      http.call<typeof routes.updateConnection>(`PATCH ${base}/{connection_id}`, {
        ...options,
        params: { project_id, slug, connection_id },
        body,
      }),
    delete: (project_id, slug, connection_id, options = {}) =>
      http.call<typeof routes.deleteConnection>(`DELETE ${base}/{connection_id}`, {
        ...options,
        params: { project_id, slug, connection_id },
      }),
    test: (project_id, slug, connection_id, options = {}) =>
      http.call<typeof routes.testConnection>(`POST ${base}/{connection_id}/test`, {
        ...options,
        params: { project_id, slug, connection_id },
      }),
  }
}
