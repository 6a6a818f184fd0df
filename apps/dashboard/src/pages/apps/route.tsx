import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../frame/routes.ts'

export const appsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'apps',
  component: lazyRouteComponent(() => import('./apps-page.tsx'), 'AppsPage'),
})

export const appRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'apps/$app',
  component: lazyRouteComponent(() => import('./app-page.tsx'), 'AppPage'),
})

export const projectRoutes = [appsRoute, appRoute] as const
