import type { accountMoney, gatewayMoney as routes } from '@svc/contract'
import { requestPath } from '../../http/api-url.ts'
import type { Http } from '../../http/transport.ts'
import { type Listing, listing } from '../../listing.ts'
import type { FetchAnswer, RequestOptions } from '../../options.ts'
import type {
  AccountSpendQuery,
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

const project = '/v1/projects/{project_id}/gateway'
const account = '/v1/accounts/{account_id}/gateway'
const billing = '/v1/accounts/{account_id}/billing'

export function projectBudgets(http: Http): Budgets {
  const path = `${project}/budgets` as const
  return {
    list: async (project_id, options = {}) => {
      const call = { ...options, params: { project_id } }
      return (await http.call<typeof routes.listGatewayBudgets>(`GET ${path}`, call)).budgets
    },
    create: (project_id, body, options = {}) =>
      http.call<typeof routes.createGatewayBudget>(`POST ${path}`, {
        ...options,
        params: { project_id },
        body,
      }),
    update: (project_id, budget_id, body, options = {}) =>
      http.call<typeof routes.updateGatewayBudget>(`PATCH ${path}/{budget_id}`, {
        ...options,
        params: { project_id, budget_id },
        body,
      }),
    delete: (project_id, budget_id, options = {}) =>
      http.call<typeof routes.deleteGatewayBudget>(`DELETE ${path}/{budget_id}`, {
        ...options,
        params: { project_id, budget_id },
      }),
  }
}

export function accountBudgets(http: Http): Budgets {
  const path = `${account}/budgets` as const
  return {
    list: async (account_id, options = {}) => {
      const call = { ...options, params: { account_id } }
      return (await http.call<typeof accountMoney.listAccountGatewayBudgets>(`GET ${path}`, call)).budgets
    },
    create: (account_id, body, options = {}) =>
      http.call<typeof accountMoney.createAccountGatewayBudget>(`POST ${path}`, {
        ...options,
        params: { account_id },
        body,
      }),
    update: (account_id, budget_id, body, options = {}) =>
      http.call<typeof accountMoney.updateAccountGatewayBudget>(`PATCH ${path}/{budget_id}`, {
        ...options,
        params: { account_id, budget_id },
        body,
      }),
    delete: (account_id, budget_id, options = {}) =>
      http.call<typeof accountMoney.deleteAccountGatewayBudget>(`DELETE ${path}/{budget_id}`, {
        ...options,
        params: { account_id, budget_id },
      }),
  }
}

export function modelCalls(http: Http): ModelCalls {
  return {
    list: (project_id, query = {}, options = {}) =>
      listing(async (cursor) => {
        const input = { ...options, params: { project_id }, query: { ...query, cursor } }
        const page = await http.call<typeof routes.listGatewayCalls>(`GET ${project}/logs`, input)
        return { items: page.calls, next_cursor: page.next_cursor }
      }, query.cursor),
    get: (project_id, call_id, options = {}) =>
      http.call<typeof routes.getGatewayCall>(`GET ${project}/logs/{call_id}`, {
        ...options,
        params: { project_id, call_id },
      }),
  }
}

export function projectSpend(http: Http): Spending<SpendQuery> {
  return {
    get: (project_id, query = {}, options = {}) =>
      http.call<typeof routes.getGatewaySpend>(`GET ${project}/spend`, {
        ...options,
        params: { project_id },
        query,
      }),
    csv: (project_id, query = {}, options = {}) =>
      http.open({
        method: 'GET',
        path: requestPath(`${project}/spend`, { project_id }, { ...query, format: 'csv' }),
        signal: options.signal,
        request_id: options.request_id,
      }),
  }
}

export function accountSpend(http: Http): Spending<AccountSpendQuery> {
  return {
    get: (account_id, query = {}, options = {}) =>
      http.call<typeof accountMoney.getAccountGatewaySpend>(`GET ${account}/spend`, {
        ...options,
        params: { account_id },
        query,
      }),
    csv: (account_id, query = {}, options = {}) =>
      http.open({
        method: 'GET',
        path: requestPath(`${account}/spend`, { account_id }, { ...query, format: 'csv' }),
        signal: options.signal,
        request_id: options.request_id,
      }),
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
