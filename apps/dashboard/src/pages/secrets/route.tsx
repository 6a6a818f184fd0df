import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../frame/routes.ts'

export const secretsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'secrets',
  component: lazyRouteComponent(() => import('./secrets-page.tsx'), 'SecretsPage'),
})

export const projectRoutes = [secretsRoute] as const
