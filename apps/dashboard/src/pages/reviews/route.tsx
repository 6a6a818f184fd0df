import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'

export const reviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'reviews/$review_id',
  component: lazyPage(() => import('./review-page.tsx'), 'ReviewPage'),
})

export const projectRoutes = [reviewRoute] as const
