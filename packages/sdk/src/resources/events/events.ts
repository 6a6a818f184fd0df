import type { events as routes } from '@svc/contract'
import { requestPath } from '../../http/api-url.ts'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'
import { resumedStream, type StreamOptions } from '../../stream/resumed-stream.ts'
import type {
  CreatedEventSubscription,
  CreateEventSubscriptionInput,
  EventDelivery,
  EventDeliveryWithTries,
  EventSubscription,
  ListEventDeliveriesQuery,
  PlatformEvent,
  ReplayEventsInput,
  RotatedEventSecret,
  UpdateEventSubscriptionInput,
} from '../../types.ts'

/** One project, or a whole account for its admins. */
export type EventPlace = { readonly project_id: string } | { readonly account_id: string }

export interface EventQuery {
  /** Types, all of a noun such as `cr.*`, or `*`. */
  readonly types?: readonly string[] | undefined
}

export interface Events {
  /**
   * Up to `limit` events (100) behind the sequence `after`, in order, and the sequence of the newest. Go on with that of the
   * last one. 410 `events_expired` when they are kept no more.
   */
  list(
    place: EventPlace,
    query?: EventQuery & { readonly after?: number; readonly limit?: number },
    options?: RequestOptions,
  ): Promise<{ events: PlatformEvent[]; last_sequence: number }>
  /**
   * Events as they happen, from `after` on, across any number of connections; each once. Ends by `break` or the signal, or
   * throws on a refusal and when the server stays away.
   */
  tail(place: EventPlace, options?: EventQuery & StreamOptions): AsyncIterableIterator<PlatformEvent>
  readonly subscriptions: EventSubscriptions
}

/** Addresses that are told of events; `verifyEvent` reads what arrives there. */
export interface EventSubscriptions {
  list(place: EventPlace, options?: RequestOptions): Promise<EventSubscription[]>
  /** `secret` is in this answer and never again. 400 `address_not_allowed` for an address that is not public. */
  create(
    place: EventPlace,
    input: CreateEventSubscriptionInput,
    options?: RequestOptions,
  ): Promise<CreatedEventSubscription>
  get(place: EventPlace, subscription_id: string, options?: RequestOptions): Promise<EventSubscription>
  /** Fields that are left out stay. */
  update(
    place: EventPlace,
    subscription_id: string,
    input: UpdateEventSubscriptionInput,
    options?: RequestOptions,
  ): Promise<EventSubscription>
  delete(place: EventPlace, subscription_id: string, options?: RequestOptions): Promise<void>
  /** A new secret; the one before it signs as well for `overlap_seconds` (86,400). */
  rotateSecret(
    place: EventPlace,
    subscription_id: string,
    input?: { readonly overlap_seconds?: number },
    options?: RequestOptions,
  ): Promise<RotatedEventSecret>
  /** A trial event for this subscription alone. */
  ping(place: EventPlace, subscription_id: string, options?: RequestOptions): Promise<{ event_id: string }>
  /** Sends one event, or those of a time, once more; how many. */
  replay(
    place: EventPlace,
    subscription_id: string,
    input: ReplayEventsInput,
    options?: RequestOptions,
  ): Promise<{ deliveries: number }>
  /** Newest first; `next_cursor` is the `cursor` of the next page. */
  deliveries(
    place: EventPlace,
    subscription_id: string,
    query?: ListEventDeliveriesQuery,
    options?: RequestOptions,
  ): Promise<{ deliveries: EventDelivery[]; next_cursor: string | null }>
  /** With every try. */
  delivery(
    place: EventPlace,
    subscription_id: string,
    delivery_id: string,
    options?: RequestOptions,
  ): Promise<EventDeliveryWithTries>
}

type Base = '/v1/projects/{project_id}'

interface PlaceRoutes {
  readonly base: Base
  readonly params: { readonly project_id: string }
}

/**
 * Either place, as the compiler knows the project's: below their paths the routes are the same, and the tests compare each
 * with the contract.
 */
function placeRoutes(place: EventPlace): PlaceRoutes {
  const base = 'project_id' in place ? '/v1/projects/{project_id}' : '/v1/accounts/{account_id}'
  return { base, params: place } as unknown as PlaceRoutes
}

export function events(http: Http): Events {
  return {
    list: async (place, { types, ...query } = {}, options = {}) => {
      const { base, params } = placeRoutes(place)
      const asked = { ...query, ...(types === undefined ? {} : { types: types.join(',') }) }
      const listed = await http.call<typeof routes.listEvents>(`GET ${base}/events`, {
        ...options,
        params,
        query: asked,
      })
      // The catalogue says what `data` is for each `type`.
      return listed as { events: PlatformEvent[]; last_sequence: number }
    },
    tail: (place, { types, ...options } = {}) => {
      const { base, params } = placeRoutes(place)
      const path = requestPath(`${base}/events`, params, { types: types?.join(',') })
      return resumedStream<PlatformEvent>(http, path, options, (value) =>
        isPlatformEvent(value) ? { seq: value.sequence, event: value } : null,
      )
    },
    subscriptions: subscriptions(http),
  }
}

function isPlatformEvent(value: object): value is PlatformEvent {
  return 'sequence' in value && typeof value.sequence === 'number' && 'type' in value && 'data' in value
}

function subscriptions(http: Http): EventSubscriptions {
  const at = (place: EventPlace) => {
    const { base, params } = placeRoutes(place)
    const path = `${base}/event-subscriptions` as const
    return { path, one: `${path}/{subscription_id}` as const, params }
  }
  return {
    list: async (place, options = {}) => {
      const { path, params } = at(place)
      const call = { ...options, params }
      return (await http.call<typeof routes.listEventSubscriptions>(`GET ${path}`, call)).subscriptions
    },
    create: (place, body, options = {}) => {
      const { path, params } = at(place)
      const call = { ...options, params, body }
      return http.call<typeof routes.createEventSubscription>(`POST ${path}`, call)
    },
    get: (place, subscription_id, options = {}) => {
      const { one, params } = at(place)
      const call = { ...options, params: { ...params, subscription_id } }
      return http.call<typeof routes.getEventSubscription>(`GET ${one}`, call)
    },
    update: (place, subscription_id, body, options = {}) => {
      const { one, params } = at(place)
      const call = { ...options, params: { ...params, subscription_id }, body }
      return http.call<typeof routes.updateEventSubscription>(`PATCH ${one}`, call)
    },
    delete: (place, subscription_id, options = {}) => {
      const { one, params } = at(place)
      const call = { ...options, params: { ...params, subscription_id } }
      return http.call<typeof routes.deleteEventSubscription>(`DELETE ${one}`, call)
    },
    rotateSecret: (place, subscription_id, body = {}, options = {}) => {
      const { one, params } = at(place)
      const call = { ...options, params: { ...params, subscription_id }, body }
      return http.call<typeof routes.rotateEventSubscriptionSecret>(`POST ${one}/rotate-secret`, call)
    },
    ping: (place, subscription_id, options = {}) => {
      const { one, params } = at(place)
      const call = { ...options, params: { ...params, subscription_id } }
      return http.call<typeof routes.pingEventSubscription>(`POST ${one}/ping`, call)
    },
    replay: (place, subscription_id, body, options = {}) => {
      const { one, params } = at(place)
      const call = { ...options, params: { ...params, subscription_id }, body }
      return http.call<typeof routes.replayEvents>(`POST ${one}/replay`, call)
    },
    deliveries: (place, subscription_id, query = {}, options = {}) => {
      const { one, params } = at(place)
      const call = { ...options, params: { ...params, subscription_id }, query }
      return http.call<typeof routes.listEventDeliveries>(`GET ${one}/deliveries`, call)
    },
    delivery: (place, subscription_id, delivery_id, options = {}) => {
      const { one, params } = at(place)
      const call = { ...options, params: { ...params, subscription_id, delivery_id } }
      return http.call<typeof routes.getEventDelivery>(`GET ${one}/deliveries/{delivery_id}`, call)
    },
  }
}
