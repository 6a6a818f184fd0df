import { priceRoutes, providerRoutes, settingsRoutes } from '../gateway/routes.ts'

const place = {
  base: '/v1/admin/gateway',
  params: {},
  tag: 'Models of the platform',
  word: 'Platform',
  of: 'the platform',
  read: { platform_admin: true },
  write: { platform_admin: true },
} as const

export const {
  list: listPlatformGatewayProviders,
  create: createPlatformGatewayProvider,
  update: updatePlatformGatewayProvider,
  remove: deletePlatformGatewayProvider,
  test: testPlatformGatewayProvider,
  addKey: addPlatformGatewayProviderKey,
  removeKey: removePlatformGatewayProviderKey,
} = providerRoutes(place)

export const {
  list: listPlatformGatewayPrices,
  set: setPlatformGatewayPrice,
  remove: removePlatformGatewayPrice,
} = priceRoutes(place)

export const { get: getPlatformGatewaySettings, update: updatePlatformGatewaySettings } =
  settingsRoutes(place)
