import type { audit as routes } from '@svc/contract'
import { requestPath } from '../http/api-url.ts'
import type { Http } from '../http/transport.ts'
import { type Listing, listing } from '../listing.ts'
import type { FetchAnswer, RequestOptions } from '../options.ts'
import type { AuditEvent, AuditFilter, AuditVerdict, ListAuditQuery } from '../types.ts'

/** The log of who did what, for admins of the account; 402 `entitlement_required` without `auditAccess`. */
export interface Audit {
  /** Newest first. */
  list(account_id: string, query?: ListAuditQuery, options?: RequestOptions): Listing<AuditEvent>
  /** Every event that matches, oldest first, as newline-delimited JSON while it arrives. */
  export(account_id: string, query?: AuditFilter, options?: RequestOptions): Promise<FetchAnswer>
  /** Verifies that the chain of the account is whole. */
  verify(account_id: string, options?: RequestOptions): Promise<AuditVerdict>
}

const base = '/v1/accounts/{account_id}/audit'

export function audit(http: Http): Audit {
  return {
    list: (account_id, query = {}, options = {}) =>
      listing(async (cursor) => {
        const page = await http.call<typeof routes.listAudit>(`GET ${base}`, {
          ...options,
          params: { account_id },
          query: { ...query, cursor },
        })
        return { items: page.events, next_cursor: page.next_cursor }
      }, query.cursor),
    export: (account_id, query = {}, options = {}) =>
      http.open({
        method: 'GET',
        path: requestPath(`${base}/export`, { account_id }, query),
        signal: options.signal,
        request_id: options.request_id,
      }),
    verify: (account_id, options = {}) =>
      http.call<typeof routes.verifyAudit>(`GET ${base}/verify`, { ...options, params: { account_id } }),
  }
}
