import type { serviceAccounts as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type { CreateTokenInput, MintedToken, ServiceAccount, Token } from '../types.ts'

/** Machines of an account, for its admins. One reaches nothing until a role on a project is assigned to it. */
export interface ServiceAccounts {
  list(account_id: string, options?: RequestOptions): Promise<ServiceAccount[]>
  create(account_id: string, input: { name: string }, options?: RequestOptions): Promise<ServiceAccount>
  /** Deletes it; its keys end at once. */
  delete(account_id: string, service_account_id: string, options?: RequestOptions): Promise<void>
  keys(account_id: string, service_account_id: string, options?: RequestOptions): Promise<Token[]>
  /** `token` is in this answer and never again. */
  createKey(
    account_id: string,
    service_account_id: string,
    input: CreateTokenInput,
    options?: RequestOptions,
  ): Promise<MintedToken>
  revokeKey(
    account_id: string,
    service_account_id: string,
    token_id: string,
    options?: RequestOptions,
  ): Promise<void>
}

const base = '/v1/accounts/{account_id}/service-accounts'
const one = `${base}/{service_account_id}` as const

export function serviceAccounts(http: Http): ServiceAccounts {
  return {
    list: async (account_id, options = {}) => {
      const call = { ...options, params: { account_id } }
      return (await http.call<typeof routes.listServiceAccounts>(`GET ${base}`, call)).service_accounts
    },
    create: (account_id, body, options = {}) =>
      http.call<typeof routes.createServiceAccount>(`POST ${base}`, {
        ...options,
        params: { account_id },
        body,
      }),
    delete: (account_id, service_account_id, options = {}) =>
      http.call<typeof routes.deleteServiceAccount>(`DELETE ${one}`, {
        ...options,
        params: { account_id, service_account_id },
      }),
    keys: async (account_id, service_account_id, options = {}) => {
      const call = { ...options, params: { account_id, service_account_id } }
      return (await http.call<typeof routes.listServiceAccountKeys>(`GET ${one}/keys`, call)).tokens
    },
    createKey: (account_id, service_account_id, body, options = {}) =>
      http.call<typeof routes.createServiceAccountKey>(`POST ${one}/keys`, {
        ...options,
        params: { account_id, service_account_id },
        body,
      }),
    revokeKey: (account_id, service_account_id, token_id, options = {}) =>
      http.call<typeof routes.revokeServiceAccountKey>(`DELETE ${one}/keys/{token_id}`, {
        ...options,
        params: { account_id, service_account_id, token_id },
      }),
  }
}
