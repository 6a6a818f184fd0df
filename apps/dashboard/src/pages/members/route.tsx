import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'
import { textsOf } from '../../frame/search.ts'

export const membersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'members',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, 'q', 'record'),
  component: lazyPage(() => import('./members-page.tsx'), 'MembersPage'),
})

export const projectRoutes = [membersRoute] as const
