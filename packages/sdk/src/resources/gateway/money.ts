import type { accountMoney, gatewayMoney as routes } from '@svc/contract'
import { requestPath } from '../../http/api-url.ts'
import type { Http } from '../../http/transport.ts'
import { type Listing, listing } from '../../listing.ts'
import type { FetchAnswer, RequestOptions } from '../../options.ts'
import type {
  Billing,
  Budget,
  CreateBudgetInput,
  CreditLedgerEntry,
  ListLedgerQuery,
  ListModelCallsQuery,
  ModelCall,
  ModelCallWithPrice,
  Spend,
  SpendQuery,
  UpdateBudgetInput,
} from '../../types.ts'
import type { PlaceRoutes } from './places.ts'

/** Budgets of a project, or of an account itself: `id` is the project's or the account's. */
export interface Budgets {
  /** With what is spent and held in each window that has not ended. */
  list(id: string, options?: RequestOptions): Promise<Budget[]>
  /** 409 `conflict` for a second one of the same level, subject, period and mode. */
  create(id: string, input: CreateBudgetInput, options?: RequestOptions): Promise<Budget>
  update(id: string, budget_id: string, input: UpdateBudgetInput, options?: RequestOptions): Promise<Budget>
  delete(id: string, budget_id: string, options?: RequestOptions): Promise<void>
}

/** Model calls of a project. */
export interface ModelCalls {
  /** Newest first, from their admission on; refused ones too. */
  list(project_id: string, query?: ListModelCallsQuery, options?: RequestOptions): Listing<ModelCall>
  /** With the card that its cost comes from. */
  get(project_id: string, call_id: string, options?: RequestOptions): Promise<ModelCallWithPrice>
}

/** Spend on models, of a project or of an account with all of its projects. */
export interface Spending<Query> {
  get(id: string, query?: Query, options?: RequestOptions): Promise<Spend>
  /** The same rows as CSV. */
  csv(id: string, query?: Query, options?: RequestOptions): Promise<FetchAnswer>
}

/** The plan of an account and its credit, for its admins. */
export interface AccountBilling {
  get(account_id: string, options?: RequestOptions): Promise<Billing>
  /** Entries that added to the credit or took from it, the newest first. */
  ledger(account_id: string, query?: ListLedgerQuery, options?: RequestOptions): Listing<CreditLedgerEntry>
}

const billing = '/v1/accounts/{account_id}/billing'

export function budgetsIn(http: Http, placeOf: (id: string) => PlaceRoutes): Budgets {
  const at = (id: string) => {
    const { base, params } = placeOf(id)
    return { path: `${base}/budgets` as const, params }
  }
  return {
    list: async (id, options) => {
      const { path, params } = at(id)
      const call = { ...options, params }
      return (await http.call<typeof routes.listGatewayBudgets>(`GET ${path}`, call)).budgets
    },
    create: (id, body, options) => {
      const { path, params } = at(id)
      return http.call<typeof routes.createGatewayBudget>(`POST ${path}`, { ...options, params, body })
    },
    update: (id, budget_id, body, options) => {
      const { path, params } = at(id)
      const call = { ...options, params: { ...params, budget_id }, body }
      return http.call<typeof routes.updateGatewayBudget>(`PATCH ${path}/{budget_id}`, call)
    },
    delete: (id, budget_id, options) => {
      const { path, params } = at(id)
      const call = { ...options, params: { ...params, budget_id } }
      return http.call<typeof routes.deleteGatewayBudget>(`DELETE ${path}/{budget_id}`, call)
    },
  }
}

export function modelCalls(http: Http, placeOf: (id: string) => PlaceRoutes): ModelCalls {
  return {
    list: (project_id, query = {}, options = {}) =>
      listing(async (cursor) => {
        const { base, params } = placeOf(project_id)
        const input = { ...options, params, query: { ...query, cursor } }
        const page = await http.call<typeof routes.listGatewayCalls>(`GET ${base}/logs`, input)
        return { items: page.calls, next_cursor: page.next_cursor }
      }, query.cursor),
    get: (project_id, call_id, options) => {
      const { base, params } = placeOf(project_id)
      const call = { ...options, params: { ...params, call_id } }
      return http.call<typeof routes.getGatewayCall>(`GET ${base}/logs/{call_id}`, call)
    },
  }
}

export function spendingIn<Query extends SpendQuery>(
  http: Http,
  placeOf: (id: string) => PlaceRoutes,
): Spending<Query> {
  return {
    get: (id, query, options) => {
      const { base, params } = placeOf(id)
      return http.call<typeof routes.getGatewaySpend>(`GET ${base}/spend`, {
        ...options,
        params,
        query: { ...query },
      })
    },
    csv: (id, query, { signal, request_id } = {}) => {
      const { base, params } = placeOf(id)
      const path = requestPath(`${base}/spend`, params, { ...query, format: 'csv' })
      return http.open({ method: 'GET', path, signal, request_id })
    },
  }
}

export function accountBilling(http: Http): AccountBilling {
  return {
    get: (account_id, options = {}) =>
      http.call<typeof accountMoney.getBilling>(`GET ${billing}`, { ...options, params: { account_id } }),
    ledger: (account_id, query = {}, options = {}) =>
      listing(async (cursor) => {
        const input = { ...options, params: { account_id }, query: { ...query, cursor } }
        const page = await http.call<typeof accountMoney.listCreditLedger>(`GET ${billing}/ledger`, input)
        return { items: page.entries, next_cursor: page.next_cursor }
      }, query.cursor),
  }
}
