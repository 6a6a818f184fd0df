import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../frame/routes.ts'

export const eventsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'events',
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
})

export const subscriptionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'events/$subscription_id',
  component: lazyRouteComponent(() => import('./subscription-page.tsx'), 'SubscriptionPage'),
})

export const projectRoutes = [eventsRoute, subscriptionRoute] as const
