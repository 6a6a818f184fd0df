import { type EventOf, machine, type StateOf } from '@svc/machine'

/**
 * One event on its way to one subscription. send: a worker has it, also after the lease of the one before ran out. release:
 * it did not come to that. exhaust:
 * the schedule has no further try. cancel: its subscription was disabled.
 */
export const eventDeliveryMachine = machine({
  pending: { send: 'sending', cancel: 'cancelled' },
  sending: {
    send: 'sending',
    release: 'pending',
    deliver: 'delivered',
    fail: 'failed',
    exhaust: 'exhausted',
    cancel: 'cancelled',
  },
  failed: { send: 'sending', cancel: 'cancelled' },
  delivered: {},
  exhausted: {},
  cancelled: {},
})

export type EventDeliveryState = StateOf<typeof eventDeliveryMachine>
export type EventDeliveryEvent = EventOf<typeof eventDeliveryMachine>

export const subscriptionStatuses = ['enabled', 'disabled'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]
export const subscriptionOrderings = ['none', 'strict'] as const
export type SubscriptionOrdering = (typeof subscriptionOrderings)[number]
export const disabledReasons = ['user', 'gone', 'too_many_failures'] as const
export type DisabledReason = (typeof disabledReasons)[number]
