import { priceRoutes, providerRoutes, settingsRoutes } from '../gateway/routes.ts'
import { AccountId } from '../kit/parameters.ts'

const place = {
  base: '/v1/accounts/{account_id}/gateway',
  params: { account_id: AccountId },
  tag: 'Models',
  word: 'Account',
  of: 'an account',
  read: { account_role: 'admin' },
  write: { account_role: 'admin' },
} as const

export const {
  list: listAccountGatewayProviders,
  create: createAccountGatewayProvider,
  update: updateAccountGatewayProvider,
  remove: deleteAccountGatewayProvider,
  test: testAccountGatewayProvider,
  addKey: addAccountGatewayProviderKey,
  removeKey: removeAccountGatewayProviderKey,
} = providerRoutes(place)

export const {
  list: listAccountGatewayPrices,
  set: setAccountGatewayPrice,
  remove: removeAccountGatewayPrice,
} = priceRoutes(place)

export const { get: getAccountGatewaySettings, update: updateAccountGatewaySettings } = settingsRoutes(place)
