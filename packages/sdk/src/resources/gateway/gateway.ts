import type { accountGateway as accountRoutes, gatewayConfig as routes } from '@svc/contract'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'
import type {
  AccountSpendQuery,
  GatewayModel,
  GatewaySettings,
  ProjectGateway,
  SpendQuery,
  UpdateGatewayInput,
} from '../../types.ts'
import { type Budgets, budgetsIn, modelCalls, type ModelCalls, type Spending, spendingIn } from './money.ts'
import { type GatewayPrices, type GatewayProviders, placeRoutes, placesById } from './places.ts'

/** The model gateway of a project: what it offers, which models calls may have, what they cost and may cost. */
export interface Gateway {
  get(project_id: string, options?: RequestOptions): Promise<ProjectGateway>
  /** Changes what is given and leaves the rest; a map is replaced whole. */
  update(project_id: string, input: UpdateGatewayInput, options?: RequestOptions): Promise<ProjectGateway>
  /** With their prices. */
  models(project_id: string, options?: RequestOptions): Promise<GatewayModel[]>
  readonly providers: GatewayProviders
  readonly prices: GatewayPrices
  readonly budgets: Budgets
  readonly logs: ModelCalls
  readonly spend: Spending<SpendQuery>
}

/** An account's decisions about the models of its projects; for its owners and admins. */
export interface AccountGateway {
  settings(account_id: string, options?: RequestOptions): Promise<GatewaySettings>
  /** Changes what is given and leaves the rest; a map is replaced whole. */
  update(account_id: string, input: UpdateGatewayInput, options?: RequestOptions): Promise<GatewaySettings>
  readonly providers: GatewayProviders
  readonly prices: GatewayPrices
  readonly budgets: Budgets
  readonly spend: Spending<AccountSpendQuery>
}

const base = '/v1/projects/{project_id}/gateway'
const ofAccount = '/v1/accounts/{account_id}/gateway'

export function gateway(http: Http): Gateway {
  const placeOf = (project_id: string) => placeRoutes(base, { project_id })
  return {
    get: (project_id, options = {}) =>
      http.call<typeof routes.getGateway>(`GET ${base}`, { ...options, params: { project_id } }),
    update: (project_id, body, options = {}) =>
      http.call<typeof routes.updateGateway>(`PATCH ${base}`, { ...options, params: { project_id }, body }),
    models: async (project_id, options = {}) => {
      const call = { ...options, params: { project_id } }
      return (await http.call<typeof routes.listGatewayModels>(`GET ${base}/models`, call)).models
    },
    budgets: budgetsIn(http, placeOf),
    logs: modelCalls(http, placeOf),
    spend: spendingIn(http, placeOf),
    ...placesById(http, placeOf),
  }
}

export function accountGateway(http: Http): AccountGateway {
  const placeOf = (account_id: string) => placeRoutes(ofAccount, { account_id })
  return {
    settings: (account_id, options = {}) =>
      http.call<typeof accountRoutes.getAccountGatewaySettings>(`GET ${ofAccount}/settings`, {
        ...options,
        params: { account_id },
      }),
    update: (account_id, body, options = {}) =>
      http.call<typeof accountRoutes.updateAccountGatewaySettings>(`PATCH ${ofAccount}/settings`, {
        ...options,
        params: { account_id },
        body,
      }),
    budgets: budgetsIn(http, placeOf),
    spend: spendingIn(http, placeOf),
    ...placesById(http, placeOf),
  }
}
