import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../frame/routes.ts'
import { oneOf, textsOf } from '../../frame/search.ts'

export const secretTabs = ['project', 'personal', 'reads'] as const

export const secretsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'secrets',
  validateSearch: (search: Record<string, unknown>) => ({
    ...textsOf(search, 'q', 'record'),
    tab: oneOf(secretTabs, search['tab']),
  }),
  component: lazyRouteComponent(() => import('./secrets-page.tsx'), 'SecretsPage'),
})

export const projectRoutes = [secretsRoute] as const
