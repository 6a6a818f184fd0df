import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { frameRoute } from '../../frame/routes.ts'

export const linkRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'link',
  component: lazyPage(() => import('./link-page.tsx'), 'LinkPage'),
})

export const frameRoutes = [linkRoute] as const
