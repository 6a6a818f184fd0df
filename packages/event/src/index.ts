export {
  catalogue,
  type EventData,
  type EventType,
  eventTypes,
  isEventType,
  type PlatformEvent,
} from './catalogue.ts'
export {
  type DisabledReason,
  disabledReasons,
  type EventDeliveryEvent,
  eventDeliveryMachine,
  type EventDeliveryState,
  type SubscriptionOrdering,
  subscriptionOrderings,
  type SubscriptionStatus,
  subscriptionStatuses,
} from './delivery-machine.ts'
export { headerIssues } from './headers.ts'
export { matches, typesOf } from './patterns.ts'
export { nextTry, retryAfterSeconds, retrySeconds } from './schedule.ts'
export { newSigningSecret, signatureHeaders } from './signing.ts'
