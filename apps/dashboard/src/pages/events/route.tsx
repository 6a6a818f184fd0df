import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { frameRoute, projectRoute } from '../../frame/routes.ts'

export const eventsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'events',
  component: lazyPage(() => import('./events-page.tsx'), 'EventsPage'),
})

export const subscriptionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'events/$subscription_id',
  component: lazyPage(() => import('./subscription-page.tsx'), 'SubscriptionPage'),
})

export const accountEventsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/events',
  component: lazyPage(() => import('./events-page.tsx'), 'AccountEventsPage'),
})

export const accountSubscriptionRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/events/$subscription_id',
  component: lazyPage(() => import('./subscription-page.tsx'), 'AccountSubscriptionPage'),
})

export const projectRoutes = [eventsRoute, subscriptionRoute] as const
export const frameRoutes = [accountEventsRoute, accountSubscriptionRoute] as const
