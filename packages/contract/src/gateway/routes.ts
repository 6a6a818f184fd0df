import { createRoute, z } from '@hono/zod-openapi'
import type { AccessRule } from '@svc/access'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals } from '../kit/common.ts'
import { ProviderKeyId, ProviderSlugParam } from '../kit/parameters.ts'
import type { PlaceOfRoutes } from '../kit/place-of-routes.ts'
import {
  AddProviderKey,
  CreateProvider,
  GatewayPrice,
  GatewayProvider,
  GatewaySettings,
  ModelText,
  ProviderKey,
  ProviderTest,
  SetPrice,
  UpdateProvider,
  UpdateSettings,
} from './records.ts'

/** The providers of a place and their keys. */
export function providerRoutes<
  Base extends string,
  Params extends z.ZodRawShape,
  Read extends AccessRule,
  Write extends AccessRule,
>({ base, params, tag, word, of, read, write }: PlaceOfRoutes<Base, Params, Read, Write>) {
  const path = `${base}/providers` as const
  const common = { tags: [tag] }
  const PlaceParams = z.object(params)
  const Named = z.object({ ...params, slug: ProviderSlugParam })
  return {
    list: createRoute({
      ...common,
      ...reachedBy(read),
      operationId: `list${word}GatewayProviders`,
      summary: `List the model providers of ${of}`,
      description: 'Keys by their `hint` alone.',
      method: 'get',
      path,
      request: { params: PlaceParams },
      responses: {
        200: json(z.object({ providers: z.array(GatewayProvider) }), 'The providers, by slug'),
        ...refusals(400, 403, 404),
      },
    }),
    create: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `create${word}GatewayProvider`,
      summary: `Add a model provider to ${of}`,
      description:
        'Its models are `<slug>/<model>`. A nearer place’s provider hides a farther one of the same slug whole. An address ' +
        'that may not be called is 400 `address_not_allowed`; a slug that is taken, or a key where the API has no ' +
        '`SVC_GATEWAY_MASTER_KEY`, is 409 `conflict`.',
      method: 'post',
      path,
      request: { params: PlaceParams, body: body(CreateProvider) },
      responses: { 201: json(GatewayProvider, 'The provider'), ...refusals(400, 403, 404, 409, 415) },
    }),
    update: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `update${word}GatewayProvider`,
      summary: `Change a model provider of ${of}`,
      description:
        'What is left out stays. While it has keys its address stays at the same origin (409 `conflict`): they were ' +
        'given for that one. It holds from the next call.',
      method: 'patch',
      path: `${path}/{slug}`,
      request: { params: Named, body: body(UpdateProvider) },
      responses: { 200: json(GatewayProvider, 'As it is now'), ...refusals(400, 403, 404, 409, 415) },
    }),
    remove: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `delete${word}GatewayProvider`,
      summary: `Remove a model provider of ${of}`,
      description: 'With its keys. A farther place’s provider of the same slug is seen again.',
      method: 'delete',
      path: `${path}/{slug}`,
      request: { params: Named },
      responses: { 204: { description: 'Removed' }, ...refusals(400, 403, 404, 409) },
    }),
    test: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `test${word}GatewayProvider`,
      summary: `Ask a model provider of ${of} for its models`,
      description:
        'With its first key, at no cost. What went wrong is in the answer, which says `ok: false` then.',
      method: 'post',
      path: `${path}/{slug}/test`,
      request: { params: Named },
      responses: { 200: json(ProviderTest, 'What it answered'), ...refusals(400, 403, 404, 409) },
    }),
    addKey: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `add${word}GatewayProviderKey`,
      summary: `Give a key to a model provider of ${of}`,
      description:
        'Keys take turns where one does not answer, in the order in which they were given; at most ten.',
      method: 'post',
      path: `${path}/{slug}/keys`,
      request: { params: Named, body: body(AddProviderKey) },
      responses: { 201: json(ProviderKey, 'The key, by its hint'), ...refusals(400, 403, 404, 409, 415) },
    }),
    removeKey: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `remove${word}GatewayProviderKey`,
      summary: `Take a key from a model provider of ${of}`,
      description: 'It is of no use from the next call on.',
      method: 'delete',
      path: `${path}/{slug}/keys/{key_id}`,
      request: { params: Named.extend({ key_id: ProviderKeyId }) },
      responses: { 204: { description: 'Removed' }, ...refusals(400, 403, 404, 409) },
    }),
  }
}

/** The prices that a place sets. */
export function priceRoutes<
  Base extends string,
  Params extends z.ZodRawShape,
  Read extends AccessRule,
  Write extends AccessRule,
>({ base, params, tag, word, of, read, write }: PlaceOfRoutes<Base, Params, Read, Write>) {
  const path = `${base}/prices` as const
  const common = { tags: [tag] }
  const PlaceParams = z.object(params)
  return {
    list: createRoute({
      ...common,
      ...reachedBy(read),
      operationId: `list${word}GatewayPrices`,
      summary: `List the prices that people set for models of ${of}`,
      description: 'The nearest one of each model; the bundled price list has those of the others.',
      method: 'get',
      path,
      request: { params: PlaceParams },
      responses: {
        200: json(z.object({ prices: z.array(GatewayPrice) }), 'The prices, by model'),
        ...refusals(400, 403, 404),
      },
    }),
    set: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `set${word}GatewayPrice`,
      summary: `Set the price of a model for ${of}`,
      description: 'It holds from the next call; what was spent does not change.',
      method: 'put',
      path,
      request: { params: PlaceParams, body: body(SetPrice) },
      responses: { 200: json(GatewayPrice, 'The price'), ...refusals(400, 403, 404, 415) },
    }),
    remove: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `remove${word}GatewayPrice`,
      summary: `Take back the price of a model of ${of}`,
      description: 'The next place’s, or the bundled list’s, holds then.',
      method: 'delete',
      path,
      request: { params: PlaceParams, query: z.object({ model: ModelText }) },
      responses: { 204: { description: 'Removed' }, ...refusals(400, 403, 404) },
    }),
  }
}

/** The rest of what an account or an operator decides about models. */
export function settingsRoutes<
  Base extends string,
  Params extends z.ZodRawShape,
  Read extends AccessRule,
  Write extends AccessRule,
>({ base, params, tag, word, of, read, write }: PlaceOfRoutes<Base, Params, Read, Write>) {
  const path = `${base}/settings` as const
  const common = { tags: [tag] }
  const PlaceParams = z.object(params)
  return {
    get: createRoute({
      ...common,
      ...reachedBy(read),
      operationId: `get${word}GatewaySettings`,
      summary: `Which models ${of} lets calls have`,
      description:
        'Lists of all places must let a model through; a default or fallback is the nearest place’s.',
      method: 'get',
      path,
      request: { params: PlaceParams },
      responses: { 200: json(GatewaySettings, 'The settings'), ...refusals(400, 403, 404) },
    }),
    update: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `update${word}GatewaySettings`,
      summary: `Change which models ${of} lets calls have`,
      description: 'What is left out stays; a map is replaced whole. A model that no provider offers is 400.',
      method: 'patch',
      path,
      request: { params: PlaceParams, body: body(UpdateSettings) },
      responses: { 200: json(GatewaySettings, 'As they are now'), ...refusals(400, 403, 404, 415) },
    }),
  }
}
