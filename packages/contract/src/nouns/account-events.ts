import { z } from '@hono/zod-openapi'
import { AccountId } from '../kit/parameters.ts'
import { eventLogRoute, subscriptionRoutes } from '../platform-events/routes.ts'

const admin = { account_role: 'admin' } as const

const place = {
  base: '/v1/accounts/{account_id}',
  params: { account_id: AccountId },
  word: 'Account',
  of: 'an account and all of its projects',
  ...{ log: admin, read: admin, write: admin },
} as const

export const listAccountEvents = eventLogRoute(place, {
  project_id: z.uuid().optional().openapi({ description: 'Only events of one project' }),
})

export const {
  list: listAccountEventSubscriptions,
  create: createAccountEventSubscription,
  get: getAccountEventSubscription,
  update: updateAccountEventSubscription,
  remove: deleteAccountEventSubscription,
  rotate: rotateAccountEventSubscriptionSecret,
  ping: pingAccountEventSubscription,
  replay: replayAccountEvents,
  deliveries: listAccountEventDeliveries,
  delivery: getAccountEventDelivery,
} = subscriptionRoutes(place)
