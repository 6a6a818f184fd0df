import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { frameRoute } from '../../frame/routes.ts'

export const resetRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'reset',
  component: lazyPage(() => import('./reset-page.tsx'), 'ResetPage'),
})

export const frameRoutes = [resetRoute] as const
