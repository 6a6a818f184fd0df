import type { secrets as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type { Secret, SecretList } from '../types.ts'

export interface Secrets {
  /** Names only; `missing` are those that the manifest requires and nobody set. */
  list(project_id: string, options?: RequestOptions): Promise<SecretList>
  /** Creates or replaces. 400 `SECRET_NAME_RESERVED` for `SVC_` names, 429 `project_secret_write_limit` after 100 writes an hour. */
  set(project_id: string, name: string, value: string, options?: RequestOptions): Promise<Secret>
  delete(project_id: string, name: string, options?: RequestOptions): Promise<void>
}

const base = '/v1/projects/{project_id}/secrets'

export function secrets(http: Http): Secrets {
  return {
    list: (project_id, options = {}) =>
      http.call<typeof routes.listSecrets>(`GET ${base}`, { ...options, params: { project_id } }),
    set: (project_id, name, value, options = {}) =>
      http.call<typeof routes.putSecret>(`PUT ${base}/{name}`, {
        ...options,
        params: { project_id, name },
        body: { value },
      }),
    delete: (project_id, name, options = {}) =>
      http.call<typeof routes.deleteSecret>(`DELETE ${base}/{name}`, {
        ...options,
        params: { project_id, name },
      }),
  }
}
