import type { directory as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type {
  CreateTokenInput,
  DirectoryGroup,
  GroupRolesInput,
  MintedScimToken,
  ScimTokenList,
} from '../types.ts'

/** A company's directory, for admins of the account; creating and changing needs the entitlement `scim` (402). */
export interface Directory {
  tokens(account_id: string, options?: RequestOptions): Promise<ScimTokenList>
  /** `token` is in this answer and never again. */
  createToken(account_id: string, input: CreateTokenInput, options?: RequestOptions): Promise<MintedScimToken>
  revokeToken(account_id: string, token_id: string, options?: RequestOptions): Promise<void>
  groups(account_id: string, options?: RequestOptions): Promise<DirectoryGroup[]>
  /** Replaces the roles that the group gives to its people. */
  setGroupRoles(
    account_id: string,
    group_id: string,
    input: GroupRolesInput,
    options?: RequestOptions,
  ): Promise<DirectoryGroup>
}

const base = '/v1/accounts/{account_id}'

export function directory(http: Http): Directory {
  return {
    tokens: (account_id, options = {}) =>
      http.call<typeof routes.listScimTokens>(`GET ${base}/scim-tokens`, {
        ...options,
        params: { account_id },
      }),
    createToken: (account_id, body, options = {}) =>
      http.call<typeof routes.createScimToken>(`POST ${base}/scim-tokens`, {
        ...options,
        params: { account_id },
        body,
      }),
    revokeToken: (account_id, token_id, options = {}) =>
      http.call<typeof routes.revokeScimToken>(`DELETE ${base}/scim-tokens/{token_id}`, {
        ...options,
        params: { account_id, token_id },
      }),
    groups: async (account_id, options = {}) => {
      const call = { ...options, params: { account_id } }
      return (await http.call<typeof routes.listGroups>(`GET ${base}/groups`, call)).groups
    },
    setGroupRoles: (account_id, group_id, body, options = {}) =>
      http.call<typeof routes.setGroupRoles>(`PUT ${base}/groups/{group_id}/roles`, {
        ...options,
        params: { account_id, group_id },
        body,
      }),
  }
}
