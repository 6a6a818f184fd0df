import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { frameRoute } from '../../frame/routes.ts'
import { textsOf } from '../../frame/search.ts'

export const adminRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'admin/{-$part}',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, 'q', 'run'),
  component: lazyPage(() => import('./admin-page.tsx'), 'AdminPage'),
})

export const frameRoutes = [adminRoute] as const
