import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { textsOf } from '../../frame/search.ts'
import { frameRoute } from '../../frame/routes.ts'

export const enterAppRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'enter-app',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, 'host', 'return'),
  component: lazyPage(() => import('./enter-app-page.tsx'), 'EnterAppPage'),
})

export const frameRoutes = [enterAppRoute] as const
