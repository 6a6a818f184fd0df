import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { frameRoute } from '../../frame/routes.ts'
import { textsOf } from '../../frame/search.ts'

export const accountRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'account/$part',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, 'q', 'record'),
  component: lazyPage(() => import('./account-page.tsx'), 'AccountPage'),
})

export const frameRoutes = [accountRoute] as const
