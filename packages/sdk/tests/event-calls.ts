import type { Client } from '../src/index.ts'

const inProject = { project_id: 'project_id' }
const inAccount = { account_id: 'account_id' }
const subscription = { url: 'https://x.example', types: ['*'] }

/** A call of each operation on events, of a project and of an account. */
export const eventCalls: Readonly<Record<string, (client: Client) => unknown>> = {
  listEvents: (c) => c.events.list(inProject),
  listEventSubscriptions: (c) => c.events.subscriptions.list(inProject),
  createEventSubscription: (c) => c.events.subscriptions.create(inProject, subscription),
  getEventSubscription: (c) => c.events.subscriptions.get(inProject, 'subscription_id'),
  updateEventSubscription: (c) =>
    c.events.subscriptions.update(inProject, 'subscription_id', { status: 'enabled' }),
  deleteEventSubscription: (c) => c.events.subscriptions.delete(inProject, 'subscription_id'),
  rotateEventSubscriptionSecret: (c) => c.events.subscriptions.rotateSecret(inProject, 'subscription_id'),
  pingEventSubscription: (c) => c.events.subscriptions.ping(inProject, 'subscription_id'),
  replayEvents: (c) => c.events.subscriptions.replay(inProject, 'subscription_id', { event_id: 'e' }),
  listEventDeliveries: (c) => c.events.subscriptions.deliveries(inProject, 'subscription_id'),
  getEventDelivery: (c) => c.events.subscriptions.delivery(inProject, 'subscription_id', 'delivery_id'),

  listAccountEvents: (c) => c.events.list(inAccount),
  listAccountEventSubscriptions: (c) => c.events.subscriptions.list(inAccount),
  createAccountEventSubscription: (c) => c.events.subscriptions.create(inAccount, subscription),
  getAccountEventSubscription: (c) => c.events.subscriptions.get(inAccount, 'subscription_id'),
  updateAccountEventSubscription: (c) =>
    c.events.subscriptions.update(inAccount, 'subscription_id', { status: 'enabled' }),
  deleteAccountEventSubscription: (c) => c.events.subscriptions.delete(inAccount, 'subscription_id'),
  rotateAccountEventSubscriptionSecret: (c) =>
    c.events.subscriptions.rotateSecret(inAccount, 'subscription_id'),
  pingAccountEventSubscription: (c) => c.events.subscriptions.ping(inAccount, 'subscription_id'),
  replayAccountEvents: (c) => c.events.subscriptions.replay(inAccount, 'subscription_id', { event_id: 'e' }),
  listAccountEventDeliveries: (c) => c.events.subscriptions.deliveries(inAccount, 'subscription_id'),
  getAccountEventDelivery: (c) =>
    c.events.subscriptions.delivery(inAccount, 'subscription_id', 'delivery_id'),
}
