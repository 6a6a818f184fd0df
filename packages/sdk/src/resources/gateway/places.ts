import type { gatewayConfig as routes } from '@svc/contract'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'
import type {
  AddGatewayProviderKeyInput,
  CreateGatewayProviderInput,
  GatewayPrice,
  GatewayProvider,
  GatewayProviderKey,
  GatewayProviderTest,
  SetGatewayPriceInput,
  UpdateGatewayProviderInput,
} from '../../types.ts'

/** The providers of models of a project or an account, by its id. A nearer place's hides a farther one of its slug. */
export interface GatewayProviders {
  list(id: string, options?: RequestOptions): Promise<GatewayProvider[]>
  create(id: string, input: CreateGatewayProviderInput, options?: RequestOptions): Promise<GatewayProvider>
  /** Changes what is given and leaves the rest. 409 `conflict` for another origin while it has keys. */
  update(
    id: string,
    slug: string,
    input: UpdateGatewayProviderInput,
    options?: RequestOptions,
  ): Promise<GatewayProvider>
  /** With its keys. */
  delete(id: string, slug: string, options?: RequestOptions): Promise<void>
  /** Asks it for its models, at no cost; what went wrong is in the answer. */
  test(id: string, slug: string, options?: RequestOptions): Promise<GatewayProviderTest>
  /** At most ten; the key is never shown again. */
  addKey(
    id: string,
    slug: string,
    input: AddGatewayProviderKeyInput,
    options?: RequestOptions,
  ): Promise<GatewayProviderKey>
  removeKey(id: string, slug: string, key_id: string, options?: RequestOptions): Promise<void>
}

/** The operator's providers of models. */
export interface PlatformProviders {
  list(options?: RequestOptions): Promise<GatewayProvider[]>
  create(input: CreateGatewayProviderInput, options?: RequestOptions): Promise<GatewayProvider>
  /** Changes what is given and leaves the rest. 409 `conflict` for another origin while it has keys. */
  update(slug: string, input: UpdateGatewayProviderInput, options?: RequestOptions): Promise<GatewayProvider>
  /** With its keys. */
  delete(slug: string, options?: RequestOptions): Promise<void>
  /** Asks it for its models, at no cost; what went wrong is in the answer. */
  test(slug: string, options?: RequestOptions): Promise<GatewayProviderTest>
  /** At most ten; the key is never shown again. */
  addKey(
    slug: string,
    input: AddGatewayProviderKeyInput,
    options?: RequestOptions,
  ): Promise<GatewayProviderKey>
  removeKey(slug: string, key_id: string, options?: RequestOptions): Promise<void>
}

/** Prices that a project or an account sets, by its id. */
export interface GatewayPrices {
  /** The nearest place's price of each model that people priced. */
  list(id: string, options?: RequestOptions): Promise<GatewayPrice[]>
  set(id: string, input: SetGatewayPriceInput, options?: RequestOptions): Promise<GatewayPrice>
  remove(id: string, model: string, options?: RequestOptions): Promise<void>
}

/** Prices that the operator sets. */
export interface PlatformPrices {
  /** The nearest place's price of each model that people priced. */
  list(options?: RequestOptions): Promise<GatewayPrice[]>
  set(input: SetGatewayPriceInput, options?: RequestOptions): Promise<GatewayPrice>
  remove(model: string, options?: RequestOptions): Promise<void>
}

type Base = '/v1/projects/{project_id}/gateway'

/** A place that decides about models: the path of its gateway, and the parameter in it. */
export interface PlaceRoutes {
  readonly base: Base
  readonly params: { readonly project_id: string }
}

/**
 * Any of the three places, as the compiler knows the project's: below their paths their routes are the same, and the
 * tests compare each with the contract.
 */
export function placeRoutes(base: string, params: Readonly<Record<string, string>>): PlaceRoutes {
  return { base, params } as unknown as PlaceRoutes
}

export function providersAt(http: Http, { base, params }: PlaceRoutes): PlatformProviders {
  const path = `${base}/providers` as const
  const one = `${path}/{slug}` as const
  return {
    list: async (options) =>
      (await http.call<typeof routes.listGatewayProviders>(`GET ${path}`, { ...options, params })).providers,
    create: (body, options) =>
      http.call<typeof routes.createGatewayProvider>(`POST ${path}`, { ...options, params, body }),
    update: (slug, body, options) =>
      http.call<typeof routes.updateGatewayProvider>(`PATCH ${one}`, {
        ...options,
        params: { ...params, slug },
        body,
      }),
    delete: (slug, options) =>
      http.call<typeof routes.deleteGatewayProvider>(`DELETE ${one}`, {
        ...options,
        params: { ...params, slug },
      }),
    test: (slug, options) =>
      http.call<typeof routes.testGatewayProvider>(`POST ${one}/test`, {
        ...options,
        params: { ...params, slug },
      }),
    addKey: (slug, body, options) =>
      http.call<typeof routes.addGatewayProviderKey>(`POST ${one}/keys`, {
        ...options,
        params: { ...params, slug },
        body,
      }),
    removeKey: (slug, key_id, options) =>
      http.call<typeof routes.removeGatewayProviderKey>(`DELETE ${one}/keys/{key_id}`, {
        ...options,
        params: { ...params, slug, key_id },
      }),
  }
}

export function pricesAt(http: Http, { base, params }: PlaceRoutes): PlatformPrices {
  const path = `${base}/prices` as const
  return {
    list: async (options) =>
      (await http.call<typeof routes.listGatewayPrices>(`GET ${path}`, { ...options, params })).prices,
    set: (body, options) =>
      http.call<typeof routes.setGatewayPrice>(`PUT ${path}`, { ...options, params, body }),
    remove: (model, options) =>
      http.call<typeof routes.removeGatewayPrice>(`DELETE ${path}`, { ...options, params, query: { model } }),
  }
}

/** Both for places that are named by an id. */
export function placesById(http: Http, placeOf: (id: string) => PlaceRoutes) {
  const providers = (id: string) => providersAt(http, placeOf(id))
  const prices = (id: string) => pricesAt(http, placeOf(id))
  const byId: { readonly providers: GatewayProviders; readonly prices: GatewayPrices } = {
    providers: {
      list: (id, ...rest) => providers(id).list(...rest),
      create: (id, ...rest) => providers(id).create(...rest),
      update: (id, ...rest) => providers(id).update(...rest),
      delete: (id, ...rest) => providers(id).delete(...rest),
      test: (id, ...rest) => providers(id).test(...rest),
      addKey: (id, ...rest) => providers(id).addKey(...rest),
      removeKey: (id, ...rest) => providers(id).removeKey(...rest),
    },
    prices: {
      list: (id, ...rest) => prices(id).list(...rest),
      set: (id, ...rest) => prices(id).set(...rest),
      remove: (id, ...rest) => prices(id).remove(...rest),
    },
  }
  return byId
}
