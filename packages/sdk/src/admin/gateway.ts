import type { platformGateway as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import {
  placeRoutes,
  type PlatformPrices,
  type PlatformProviders,
  pricesAt,
  providersAt,
} from '../resources/gateway/places.ts'
import type { GatewaySettings, UpdateGatewayInput } from '../types.ts'

/** The operator's decisions about the models of all calls. */
export interface PlatformGateway {
  settings(options?: RequestOptions): Promise<GatewaySettings>
  /** Changes what is given and leaves the rest; a map is replaced whole. */
  update(input: UpdateGatewayInput, options?: RequestOptions): Promise<GatewaySettings>
  readonly providers: PlatformProviders
  readonly prices: PlatformPrices
}

const base = '/v1/admin/gateway'

export function platformGateway(http: Http): PlatformGateway {
  const place = placeRoutes(base, {})
  return {
    settings: (options = {}) =>
      http.call<typeof routes.getPlatformGatewaySettings>(`GET ${base}/settings`, options),
    update: (body, options = {}) =>
      http.call<typeof routes.updatePlatformGatewaySettings>(`PATCH ${base}/settings`, { ...options, body }),
    providers: providersAt(http, place),
    prices: pricesAt(http, place),
  }
}
