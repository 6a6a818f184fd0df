import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/routes.ts'

export const resetRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'reset',
  component: lazyRouteComponent(() => import('./reset-page.tsx'), 'ResetPage'),
})

export const frameRoutes = [resetRoute] as const
