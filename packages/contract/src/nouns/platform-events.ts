import { eventLogRoute, subscriptionRoutes } from '../platform-events/routes.ts'
import { ProjectId } from '../kit/parameters.ts'

export {
  CreatedSubscription,
  CreateSubscription,
  Delivery,
  DeliveryWithTries,
  EventList,
  PlatformEvent,
  ReplayEvents,
  RotatedSecret,
  Subscription,
  UpdateSubscription,
} from '../platform-events/records.ts'

const place = {
  base: '/v1/projects/{project_id}',
  params: { project_id: ProjectId },
  word: '',
  of: 'a project',
  log: { capability: 'project.read' },
  read: { capability: 'project.connector.read' },
  write: { capability: 'project.connector.write' },
} as const

export const listEvents = eventLogRoute(place, {})

export const {
  list: listEventSubscriptions,
  create: createEventSubscription,
  get: getEventSubscription,
  update: updateEventSubscription,
  remove: deleteEventSubscription,
  rotate: rotateEventSubscriptionSecret,
  ping: pingEventSubscription,
  replay: replayEvents,
  deliveries: listEventDeliveries,
  delivery: getEventDelivery,
} = subscriptionRoutes(place)
