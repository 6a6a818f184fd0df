import type { accounts as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type { CreateProjectTokenInput, MintedToken, Token } from '../types.ts'

/** Tokens that reach one project. */
export interface ProjectTokens {
  list(project_id: string, options?: RequestOptions): Promise<Token[]>
  /** `token` is in this answer and never again. */
  create(project_id: string, input?: CreateProjectTokenInput, options?: RequestOptions): Promise<MintedToken>
  revoke(project_id: string, token_id: string, options?: RequestOptions): Promise<void>
}

const base = '/v1/projects/{project_id}/cli-token'

export function projectTokens(http: Http): ProjectTokens {
  return {
    list: async (project_id, options = {}) => {
      const params = { project_id }
      return (await http.call<typeof routes.listProjectTokens>(`GET ${base}`, { ...options, params })).tokens
    },
    create: (project_id, body = {}, options = {}) =>
      http.call<typeof routes.createProjectToken>(`POST ${base}`, {
        ...options,
        params: { project_id },
        body,
      }),
    revoke: (project_id, token_id, options = {}) =>
      http.call<typeof routes.revokeProjectToken>(`DELETE ${base}/{token_id}`, {
        ...options,
        params: { project_id, token_id },
      }),
  }
}
