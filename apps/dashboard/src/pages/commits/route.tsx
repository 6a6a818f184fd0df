import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'
import { oneOf, textsOf } from '../../frame/search.ts'
import type { View } from '../../review/view.ts'

export const commitsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'commits',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, 'ref'),
  component: lazyPage(() => import('./commits-page.tsx'), 'CommitsPage'),
})

interface CommitSearch {
  readonly file?: string | undefined
  readonly view?: View | undefined
}

export const commitRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'commits/$sha',
  validateSearch: (search: Record<string, unknown>): CommitSearch => ({
    ...textsOf(search, 'file'),
    view: oneOf(['split', 'unified'], search['view']),
  }),
  component: lazyPage(() => import('./commit-page.tsx'), 'CommitPage'),
})

export const projectRoutes = [commitsRoute, commitRoute] as const
