import type { secrets as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import { type Listing, listing } from '../listing.ts'
import type { RequestOptions } from '../options.ts'
import type {
  CreateSecretInput,
  ListSecretAccessesQuery,
  PersonalSecret,
  PersonalSecretList,
  Secret,
  SecretAccess,
  SecretList,
} from '../types.ts'

export interface Secrets {
  readonly personal: PersonalSecrets
  /** Names only; `missing` are those that the manifest requires and that are not set. */
  list(project_id: string, options?: RequestOptions): Promise<SecretList>
  /** Creates or replaces. 400 `SECRET_NAME_RESERVED` for `SVC_` names, 429 `project_secret_write_limit` after 100 writes an hour. */
  set(project_id: string, name: string, value: string, options?: RequestOptions): Promise<Secret>
  /** The same as `set`, with the name in the body. */
  create(project_id: string, input: CreateSecretInput, options?: RequestOptions): Promise<Secret>
  delete(project_id: string, name: string, options?: RequestOptions): Promise<void>
  /** The sessions and the names that each was given, newest first. */
  accesses(
    project_id: string,
    query?: ListSecretAccessesQuery,
    options?: RequestOptions,
  ): Listing<SecretAccess>
}

/** A person's own secrets, for the sessions that this person starts; such a session stays private. */
export interface PersonalSecrets {
  list(project_id: string, options?: RequestOptions): Promise<PersonalSecretList>
  /** Creates or replaces, under the rules and the limit of the project's secrets. */
  set(project_id: string, name: string, value: string, options?: RequestOptions): Promise<PersonalSecret>
  delete(project_id: string, name: string, options?: RequestOptions): Promise<void>
}

const project = '/v1/projects/{project_id}'
const base = `${project}/secrets` as const
const personalBase = `${project}/personal-secrets` as const

export function secrets(http: Http): Secrets {
  return {
    personal: personalSecrets(http),
    list: (project_id, options = {}) =>
      http.call<typeof routes.listSecrets>(`GET ${base}`, { ...options, params: { project_id } }),
    set: (project_id, name, value, options = {}) =>
      http.call<typeof routes.putSecret>(`PUT ${base}/{name}`, {
        ...options,
        params: { project_id, name },
        body: { value },
      }),
    create: (project_id, body, options = {}) =>
      http.call<typeof routes.createSecret>(`POST ${base}`, { ...options, params: { project_id }, body }),
    delete: (project_id, name, options = {}) =>
      http.call<typeof routes.deleteSecret>(`DELETE ${base}/{name}`, {
        ...options,
        params: { project_id, name },
      }),
    accesses: (project_id, query = {}, options = {}) =>
      listing(async (cursor) => {
        const page = await http.call<typeof routes.listSecretAccesses>(`GET ${project}/secret-accesses`, {
          ...options,
          params: { project_id },
          query: { ...query, cursor },
        })
        return { items: page.accesses, next_cursor: page.next_cursor }
      }, query.cursor),
  }
}

function personalSecrets(http: Http): PersonalSecrets {
  return {
    list: (project_id, options = {}) =>
      http.call<typeof routes.listPersonalSecrets>(`GET ${personalBase}`, {
        ...options,
        params: { project_id },
      }),
    set: (project_id, name, value, options = {}) =>
      http.call<typeof routes.putPersonalSecret>(`PUT ${personalBase}/{name}`, {
        ...options,
        params: { project_id, name },
        body: { value },
      }),
    delete: (project_id, name, options = {}) =>
      http.call<typeof routes.deletePersonalSecret>(`DELETE ${personalBase}/{name}`, {
        ...options,
        params: { project_id, name },
      }),
  }
}
