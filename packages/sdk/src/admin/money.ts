import type * as contract from '@svc/contract'
import { requestPath } from '../http/api-url.ts'
import type { Http } from '../http/transport.ts'
import type { FetchAnswer, RequestOptions } from '../options.ts'
import type { AddCredit, CreditEntry, Plan, PlatformSpend, PlatformSpendQuery, PutPlan } from './types.ts'

/** Plans, the credit of accounts, and the spend of all of them. */
export interface AdminMoney {
  /** The plans that accounts may have, the smallest first. */
  plans(options?: RequestOptions): Promise<readonly Plan[]>
  /** Makes a plan, or replaces the whole of one. */
  putPlan(tier: string, plan: PutPlan, options?: RequestOptions): Promise<Plan>
  /** 409 `conflict` for one that is built in, or that an account has. */
  deletePlan(tier: string, options?: RequestOptions): Promise<void>
  /** Adds to the credit of an account, or takes from it; once by `idempotency_key`. */
  addCredit(account_id: string, credit: AddCredit, options?: RequestOptions): Promise<CreditEntry>
  /** Spend of the whole platform on models. */
  spend(query?: PlatformSpendQuery, options?: RequestOptions): Promise<PlatformSpend>
  /** The same rows as CSV. */
  spendCsv(query?: PlatformSpendQuery, options?: RequestOptions): Promise<FetchAnswer>
}

export function adminMoney(http: Http): AdminMoney {
  return {
    plans: async (options = {}) =>
      (await http.call<typeof contract.plans.listPlans>('GET /v1/admin/plans', options)).plans,
    putPlan: (tier, plan, options = {}) =>
      http.call<typeof contract.plans.putPlan>('PUT /v1/admin/plans/{tier}', {
        ...options,
        params: { tier },
        body: plan,
      }),
    deletePlan: (tier, options = {}) =>
      http.call<typeof contract.plans.deletePlan>('DELETE /v1/admin/plans/{tier}', {
        ...options,
        params: { tier },
      }),
    addCredit: (account_id, credit, options = {}) =>
      http.call<typeof contract.plans.addCredit>('POST /v1/admin/accounts/{account_id}/credit', {
        ...options,
        params: { account_id },
        body: credit,
      }),
    spend: (query = {}, options = {}) => {
      const route = 'GET /v1/admin/gateway/spend'
      return http.call<typeof contract.plans.getPlatformGatewaySpend>(route, { ...options, query })
    },
    spendCsv: (query = {}, options = {}) =>
      http.open({
        method: 'GET',
        path: requestPath('/v1/admin/gateway/spend', {}, { ...query, format: 'csv' }),
        signal: options.signal,
        request_id: options.request_id,
      }),
  }
}
