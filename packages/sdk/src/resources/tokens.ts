import type { accounts as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type { CreateTokenInput, MintedToken, Token } from '../types.ts'

/** Your own user tokens. A project's token gets 403 on all of these. */
export interface Tokens {
  list(options?: RequestOptions): Promise<Token[]>
  /** `token` is in this answer and never again. `expires_at` is an ISO 8601 instant. */
  create(input: CreateTokenInput, options?: RequestOptions): Promise<MintedToken>
  revoke(token_id: string, options?: RequestOptions): Promise<void>
}

const base = '/v1/accounts/tokens'

export function tokens(http: Http): Tokens {
  return {
    list: async (options = {}) => (await http.call<typeof routes.listTokens>(`GET ${base}`, options)).tokens,
    create: (body, options = {}) =>
      http.call<typeof routes.createToken>(`POST ${base}`, { ...options, body }),
    revoke: (token_id, options = {}) =>
      http.call<typeof routes.revokeToken>(`DELETE ${base}/{token_id}`, { ...options, params: { token_id } }),
  }
}
