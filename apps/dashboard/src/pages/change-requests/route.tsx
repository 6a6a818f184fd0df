import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'
import type { View } from '../../review/view.ts'
import { oneOf, textsOf } from '../../frame/search.ts'

export const crStatuses = ['open', 'merged', 'closed', 'all'] as const
type CrStatus = (typeof crStatuses)[number]

export const changeRequestsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'change-requests',
  validateSearch: (search: Record<string, unknown>): { status?: CrStatus | undefined } => ({
    status: oneOf(crStatuses, search['status']),
  }),
  component: lazyPage(() => import('./change-requests-page.tsx'), 'ChangeRequestsPage'),
})

export const crTabs = ['overview', 'files', 'commits', 'activity'] as const

interface CrSearch {
  readonly file?: string | undefined
  readonly tab?: (typeof crTabs)[number] | undefined
  readonly view?: View | undefined
}

export const changeRequestRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'change-requests/$number',
  validateSearch: (search: Record<string, unknown>): CrSearch => ({
    ...textsOf(search, 'file'),
    tab: oneOf(crTabs, search['tab']),
    view: oneOf(['split', 'unified'], search['view']),
  }),
  component: lazyPage(() => import('./change-request-page.tsx'), 'ChangeRequestPage'),
})

export const projectRoutes = [changeRequestsRoute, changeRequestRoute] as const
