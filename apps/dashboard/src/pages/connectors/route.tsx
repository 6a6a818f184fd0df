import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../frame/routes.ts'
import { textsOf } from '../../frame/search.ts'

export const connectorsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'connectors',
  component: lazyRouteComponent(() => import('./connectors-page.tsx'), 'ConnectorsPage'),
})

export const connectorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'connectors/$slug',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, 'authorization'),
  component: lazyRouteComponent(() => import('./connector-page.tsx'), 'ConnectorPage'),
})

export const projectRoutes = [connectorsRoute, connectorRoute] as const
