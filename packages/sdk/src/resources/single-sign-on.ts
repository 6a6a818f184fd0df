import type { accountSso as ssoRoutes, domains as domainRoutes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type { AccountSso, Domain, SetAccountSsoInput } from '../types.ts'

/** Mail domains of an account. Claiming and verifying is for owners, with the entitlement `sso` (402). */
export interface Domains {
  list(account_id: string, options?: RequestOptions): Promise<Domain[]>
  /** `record` is the entry that the DNS must have. 400 `domain_not_allowed`, 409 `domain_taken`. */
  claim(account_id: string, domain: string, options?: RequestOptions): Promise<Domain>
  /** 422 `domain_not_proved` as long as the record is not to be seen. */
  verify(account_id: string, domain: string, options?: RequestOptions): Promise<Domain>
  delete(account_id: string, domain: string, options?: RequestOptions): Promise<void>
}

/** The OpenID provider that people of the account's verified domains sign in with. */
export interface SingleSignOn {
  /** 404 when there is none. Never with its secret. */
  get(account_id: string, options?: RequestOptions): Promise<AccountSso>
  /** `client_secret` may be left out as long as issuer and client stay. 422 `issuer_not_usable` with a `reason`. */
  set(account_id: string, input: SetAccountSsoInput, options?: RequestOptions): Promise<AccountSso>
  delete(account_id: string, options?: RequestOptions): Promise<void>
}

const base = '/v1/accounts/{account_id}'

export function domains(http: Http): Domains {
  return {
    list: async (account_id, options = {}) => {
      const call = { ...options, params: { account_id } }
      return (await http.call<typeof domainRoutes.listDomains>(`GET ${base}/domains`, call)).domains
    },
    claim: (account_id, domain, options = {}) =>
      http.call<typeof domainRoutes.claimDomain>(`POST ${base}/domains`, {
        ...options,
        params: { account_id },
        body: { domain },
      }),
    verify: (account_id, domain, options = {}) =>
      http.call<typeof domainRoutes.verifyDomain>(`POST ${base}/domains/{domain}/verify`, {
        ...options,
        params: { account_id, domain },
      }),
    delete: (account_id, domain, options = {}) =>
      http.call<typeof domainRoutes.deleteDomain>(`DELETE ${base}/domains/{domain}`, {
        ...options,
        params: { account_id, domain },
      }),
  }
}

export function singleSignOn(http: Http): SingleSignOn {
  return {
    get: (account_id, options = {}) =>
      http.call<typeof ssoRoutes.getAccountSso>(`GET ${base}/sso`, { ...options, params: { account_id } }),
    set: (account_id, body, options = {}) =>
      http.call<typeof ssoRoutes.setAccountSso>(`PUT ${base}/sso`, {
        ...options,
        params: { account_id },
        body,
      }),
    delete: (account_id, options = {}) =>
      http.call<typeof ssoRoutes.deleteAccountSso>(`DELETE ${base}/sso`, {
        ...options,
        params: { account_id },
      }),
  }
}
