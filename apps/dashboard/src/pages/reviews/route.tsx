import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../frame/routes.ts'

export const reviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'reviews/$review_id',
  component: lazyRouteComponent(() => import('./review-page.tsx'), 'ReviewPage'),
})

export const projectRoutes = [reviewRoute] as const
