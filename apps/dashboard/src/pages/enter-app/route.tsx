import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { textsOf } from '../../frame/search.ts'
import { frameRoute } from '../../frame/routes.ts'

export const enterAppRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'enter-app',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, 'host', 'return'),
  component: lazyRouteComponent(() => import('./enter-app-page.tsx'), 'EnterAppPage'),
})

export const frameRoutes = [enterAppRoute] as const
