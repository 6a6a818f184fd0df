import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../frame/routes.ts'
import { textsOf } from '../../frame/search.ts'

export const commitsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'commits',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, 'ref'),
  component: lazyRouteComponent(() => import('./commits-page.tsx'), 'CommitsPage'),
})

export const projectRoutes = [commitsRoute] as const
