import { z } from '@hono/zod-openapi'
import {
  disabledReasons,
  eventDeliveryMachine,
  subscriptionOrderings,
  subscriptionStatuses,
} from '@svc/event/states'
import { text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'

const EventTypeName = z.string().openapi({ description: 'A type of the catalogue, such as `cr.merged`' })

export const PlatformEvent = z
  .object({
    type: EventTypeName,
    timestamp: Timestamp,
    id: z.string().openapi({ description: '`evt_` and 26 characters; the same on every retry and replay' }),
    account_id: z.uuid(),
    project_id: z.uuid().nullable(),
    sequence: z.int().openapi({ description: 'Its place among the events of the account, without gaps' }),
    data: z.record(z.string(), z.unknown()).openapi({ description: 'Of a shape for each type' }),
  })
  .openapi('PlatformEvent')

export const EventList = z
  .object({
    events: z.array(PlatformEvent),
    last_sequence: z.int().openapi({ description: 'Of the newest event of the account' }),
  })
  .openapi('PlatformEventList')

const ordering = z.enum(subscriptionOrderings).openapi({
  description:
    '`none`: up to eight at once, order them by `sequence`. `strict`: one at a time in order; one that fails holds the rest',
})
const name = text(100).min(1).nullable().openapi({ description: 'For people' })
const types = z.array(text(64).min(1)).min(1).max(50).openapi({
  description: 'Types, all of a noun such as `cr.*`, or `*`',
})
const headers = z.record(z.string().max(64), z.string().max(2048)).openapi({
  description: 'Up to eight of your own, such as `Authorization`; sealed, and never read back',
})
const url = text(2048).min(1).openapi({
  description: 'https, at a public address or one that the operator allows; never redirected',
})

export const Subscription = z
  .object({
    subscription_id: z.uuid(),
    account_id: z.uuid(),
    project_id: z.uuid().nullable().openapi({ description: 'Null: events of every project of the account' }),
    url: z.string(),
    name: z.string().nullable(),
    types: z.array(z.string()),
    header_names: z.array(z.string()),
    ordering,
    status: z.enum(subscriptionStatuses),
    disabled_reason: z.enum(disabledReasons).nullable().openapi({
      description: '`gone`: it answered 410. `too_many_failures`: deliveries in a row came to nothing',
    }),
    disabled_at: Timestamp.nullable(),
    exhausted_in_a_row: z.int(),
    created_by: z.uuid().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .openapi('EventSubscription')

export const CreatedSubscription = Subscription.extend({
  secret: z.string().openapi({ description: 'What deliveries are signed with, shown this once: `whsec_…`' }),
}).openapi('CreatedEventSubscription')

export const CreateSubscription = z
  .strictObject({
    url,
    types,
    name: name.optional(),
    ordering: ordering.optional(),
    headers: headers.optional(),
  })
  .openapi('CreateEventSubscription', { example: examples.createEventSubscription })

export const UpdateSubscription = z
  .strictObject({
    url: url.optional(),
    types: types.optional(),
    name: name.optional(),
    ordering: ordering.optional(),
    headers: headers.optional(),
    status: z.enum(subscriptionStatuses).optional().openapi({
      description: 'Disabling cancels what waits; enabling counts failures anew',
    }),
  })
  .openapi('UpdateEventSubscription', { example: examples.updateEventSubscription })

export const RotateSecret = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(604_800).optional().openapi({
      description: 'How long the secret before it signs as well; a day by default, 0 ends it at once',
    }),
  })
  .openapi('RotateEventSecret', { example: examples.rotateEventSecret })

export const RotatedSecret = z
  .object({
    secret: z.string().openapi({ description: 'Shown this once' }),
    previous_expires_at: Timestamp,
  })
  .openapi('RotatedEventSecret')

const state = z.enum(eventDeliveryMachine.states)

export const ReplayEvents = z
  .strictObject({
    event_id: text(64).min(1).optional(),
    delivery_id: z.uuid().optional(),
    since: Timestamp.optional().openapi({ description: 'The first moment, of a replay of a time' }),
    until: Timestamp.optional().openapi({
      description: 'The first moment that is not in it; now by default',
    }),
    states: z.array(state).min(1).optional().openapi({
      description: 'Only events whose last delivery is in one of these',
    }),
  })
  .refine(
    (wish) => [wish.event_id, wish.delivery_id, wish.since].filter((one) => one !== undefined).length === 1,
    'must name just one of event_id, delivery_id and since',
  )
  .openapi('ReplayEvents', { example: examples.replayEvents })

export const Delivery = z
  .object({
    delivery_id: z.uuid(),
    subscription_id: z.uuid(),
    event_id: z.string(),
    type: EventTypeName,
    sequence: z.int(),
    replay: z.int().openapi({ description: '0 for the first, then counted' }),
    state,
    attempts: z.int(),
    next_at: Timestamp.nullable().openapi({ description: 'The next try, of one that waits' }),
    last_status: z.int().nullable(),
    last_error: z.string().nullable().openapi({
      description: 'Such as `refused`, `redirect`, `timeout`, `address_not_allowed` or a code of the network',
    }),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .openapi('EventDelivery')

export const DeliveryWithTries = Delivery.extend({
  tries: z.array(
    z.object({
      number: z.int(),
      at: Timestamp,
      status: z.int().nullable(),
      duration_ms: z.int(),
      error: z.string().nullable(),
      answer: z.string().nullable().openapi({ description: 'The first kilobyte of what the receiver said' }),
    }),
  ),
}).openapi('EventDeliveryWithTries')

export const deliveryState = state
