import { createRoute, z } from '@hono/zod-openapi'
import type { AccessRule } from '@svc/access'
import { reachedBy } from '../kit/access.ts'
import { body, json, PageQuery, refusals } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'
import { Accept, EventDeliveryId, LastEventId, Limit, SubscriptionId } from '../kit/parameters.ts'
import {
  CreatedSubscription,
  CreateSubscription,
  Delivery,
  deliveryState,
  DeliveryWithTries,
  EventList,
  ReplayEvents,
  RotatedSecret,
  RotateSecret,
  Subscription,
  UpdateSubscription,
} from './records.ts'

/** The account, or one project of it. */
export interface EventsPlace<P extends z.ZodRawShape, B extends string, W extends string> {
  readonly base: B
  readonly params: P
  /** In front of the noun in each operation's name. */
  readonly word: W
  readonly of: string
  readonly log: AccessRule
  readonly read: AccessRule
  readonly write: AccessRule
}

const tags = ['Events']

/** The log of a place. */
export function eventLogRoute<
  const P extends z.ZodRawShape,
  const B extends string,
  const W extends string,
  Q extends z.ZodRawShape,
>({ base, params, word, of, log }: EventsPlace<P, B, W>, query: Q) {
  return createRoute({
    tags,
    ...reachedBy(log),
    operationId: `list${word}Events` as const,
    summary: `List what happened in ${of}, in order`,
    description:
      'Go on with the `sequence` of the last one as `after`. With `Accept: text/event-stream` the same objects arrive as they happen (`id` = sequence, `event` = type), from `Last-Event-ID` or `after` on. 410 `events_expired` when events behind `after` are kept no more: read anew what you keep.',
    method: 'get',
    path: `${base}/events` as const,
    request: {
      params: z.object(params),
      headers: z.object({ 'last-event-id': LastEventId, accept: Accept }),
      query: z.object({
        after: z.coerce
          .number()
          .int()
          .min(0)
          .default(0)
          .openapi({ description: 'The `sequence` behind which to begin' }),
        types: z
          .string()
          .max(2000)
          .optional()
          .openapi({ description: 'Types or patterns, with commas between' }),
        limit: Limit(1, limits.pageMax, limits.pageMax),
        ...query,
      }),
    },
    responses: {
      200: {
        description: 'Events after the given one',
        content: {
          'application/json': { schema: EventList },
          'text/event-stream': { schema: z.string(), example: examples.platformEventStream },
        },
      },
      ...refusals(400, 403, 404, 410),
    },
  })
}

/** Subscriptions of a place, and what was sent to them. */
export function subscriptionRoutes<
  const P extends z.ZodRawShape,
  const B extends string,
  const W extends string,
>({ base, params, word, of, read, write }: EventsPlace<P, B, W>) {
  const all = `${base}/event-subscriptions` as const
  const one = `${all}/{subscription_id}` as const
  const place = z.object(params)
  const key = z.object({ ...params, subscription_id: SubscriptionId })
  return {
    list: createRoute({
      tags,
      ...reachedBy(read),
      operationId: `list${word}EventSubscriptions` as const,
      summary: `List the subscriptions to events of ${of}`,
      description: 'Never a secret, and of their headers the names alone.',
      method: 'get',
      path: all,
      request: { params: place },
      responses: {
        200: json(z.object({ subscriptions: z.array(Subscription) }), 'The subscriptions, oldest first'),
        ...refusals(400, 403, 404),
      },
    }),
    create: createRoute({
      tags,
      ...reachedBy(write),
      operationId: `create${word}EventSubscription` as const,
      summary: `Tell an address what happens in ${of}`,
      description:
        'Each event from now on is posted there, signed by Standard Webhooks with `secret`, which is in this answer and never again. It may arrive more than once, always with the same `webhook-id`. 400 `address_not_allowed` for an address that is not public. At most 50.',
      method: 'post',
      path: all,
      request: { params: place, body: body(CreateSubscription) },
      responses: { 201: json(CreatedSubscription, 'Subscribed'), ...refusals(400, 403, 404, 409, 415) },
    }),
    get: createRoute({
      tags,
      ...reachedBy(read),
      operationId: `get${word}EventSubscription` as const,
      summary: 'Get a subscription to events, with why it is disabled',
      description: 'Never a secret.',
      method: 'get',
      path: one,
      request: { params: key },
      responses: { 200: json(Subscription, 'The subscription'), ...refusals(400, 403, 404) },
    }),
    update: createRoute({
      tags,
      ...reachedBy(write),
      operationId: `update${word}EventSubscription` as const,
      summary: 'Change a subscription to events, disable or enable it',
      description: 'What is left out stays; `headers` are replaced whole.',
      method: 'patch',
      path: one,
      request: { params: key, body: body(UpdateSubscription) },
      responses: { 200: json(Subscription, 'The subscription'), ...refusals(400, 403, 404, 415) },
    }),
    remove: createRoute({
      tags,
      ...reachedBy(write),
      operationId: `delete${word}EventSubscription` as const,
      summary: 'Remove a subscription to events, with the log of its deliveries',
      description: 'Nothing more is sent. Events stay.',
      method: 'delete',
      path: one,
      request: { params: key },
      responses: { 204: { description: 'Removed' }, ...refusals(400, 403, 404) },
    }),
    rotate: createRoute({
      tags,
      ...reachedBy(write),
      operationId: `rotate${word}EventSubscriptionSecret` as const,
      summary: 'Give a subscription to events a new secret',
      description:
        'Both sign until `previous_expires_at`, so that a receiver can change over. One that was still in an overlap of its own ends.',
      method: 'post',
      path: `${one}/rotate-secret` as const,
      request: { params: key, body: body(RotateSecret, false) },
      responses: { 201: json(RotatedSecret, 'The new secret'), ...refusals(400, 403, 404, 415) },
    }),
    ping: createRoute({
      tags,
      ...reachedBy(write),
      operationId: `ping${word}EventSubscription` as const,
      summary: 'Send a trial event to one subscription',
      description: 'Of the type `ping`, whatever types it asks for. `deliveries` says what became of it.',
      method: 'post',
      path: `${one}/ping` as const,
      request: { params: key },
      responses: {
        202: json(z.object({ event_id: z.string() }), 'On its way'),
        ...refusals(400, 403, 404, 409),
      },
    }),
    replay: createRoute({
      tags,
      ...reachedBy(write),
      operationId: `replay${word}Events` as const,
      summary: 'Send events once more: one, or those of a time',
      description:
        'With the ids that they had, also from before the subscription. One that waits already is not sent twice. A time with more than 10,000 events is 400 with their `count`.',
      method: 'post',
      path: `${one}/replay` as const,
      request: { params: key, body: body(ReplayEvents) },
      responses: {
        202: json(z.object({ deliveries: z.int() }), 'How many are on their way'),
        ...refusals(400, 403, 404, 409, 415),
      },
    }),
    deliveries: createRoute({
      tags,
      ...reachedBy(read),
      operationId: `list${word}EventDeliveries` as const,
      summary: 'List what was sent to a subscription, newest first',
      description: 'Kept as long as the events.',
      method: 'get',
      path: `${one}/deliveries` as const,
      request: {
        params: key,
        query: PageQuery.extend({
          state: deliveryState.optional().openapi({ description: 'Only those in this state' }),
          event_id: z.string().max(64).optional().openapi({ description: 'Only those of one event' }),
        }),
      },
      responses: {
        200: json(
          z.object({ deliveries: z.array(Delivery), next_cursor: z.string().nullable() }),
          'The deliveries',
        ),
        ...refusals(400, 403, 404),
      },
    }),
    delivery: createRoute({
      tags,
      ...reachedBy(read),
      operationId: `get${word}EventDelivery` as const,
      summary: 'Get a delivery with every try and the beginning of each answer',
      description: 'Tries are in their order.',
      method: 'get',
      path: `${one}/deliveries/{delivery_id}` as const,
      request: { params: key.extend({ delivery_id: EventDeliveryId }) },
      responses: { 200: json(DeliveryWithTries, 'The delivery'), ...refusals(400, 403, 404) },
    }),
  }
}
