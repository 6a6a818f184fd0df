import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
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
  component: lazyPage(() => import('./secrets-page.tsx'), 'SecretsPage'),
})

export const projectRoutes = [secretsRoute] as const
