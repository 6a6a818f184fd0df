import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'

export const appsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'apps',
  component: lazyPage(() => import('./apps-page.tsx'), 'AppsPage'),
})

export const appRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'apps/$app',
  component: lazyPage(() => import('./app-page.tsx'), 'AppPage'),
})

export const projectRoutes = [appsRoute, appRoute] as const
