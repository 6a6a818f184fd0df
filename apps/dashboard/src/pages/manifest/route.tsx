import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'
import { textsOf } from '../../frame/search.ts'

interface ManifestSearch {
  readonly ref?: string | undefined
  readonly line?: number | undefined
}

export const manifestRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'manifest',
  validateSearch: (search: Record<string, unknown>): ManifestSearch => ({
    ...textsOf(search, 'ref'),
    line: typeof search['line'] === 'number' ? search['line'] : undefined,
  }),
  component: lazyPage(() => import('./manifest-page.tsx'), 'ManifestPage'),
})

export const projectRoutes = [manifestRoute] as const
