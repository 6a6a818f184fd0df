import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/routes.ts'

export const linkRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'link',
  component: lazyRouteComponent(() => import('./link-page.tsx'), 'LinkPage'),
})

export const frameRoutes = [linkRoute] as const
