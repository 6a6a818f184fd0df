import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'
import { textsOf } from '../../frame/search.ts'

export const connectorsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'connectors',
  component: lazyPage(() => import('./connectors-page.tsx'), 'ConnectorsPage'),
})

export const connectorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'connectors/$slug',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, 'authorization'),
  component: lazyPage(() => import('./connector-page.tsx'), 'ConnectorPage'),
})

export const projectRoutes = [connectorsRoute, connectorRoute] as const
