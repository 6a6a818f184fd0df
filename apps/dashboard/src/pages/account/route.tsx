import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/routes.ts'

export const accountRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'account/$part',
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
})

export const frameRoutes = [accountRoute] as const
