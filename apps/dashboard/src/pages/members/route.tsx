import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../frame/routes.ts'

export const membersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'members',
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
})

export const projectRoutes = [membersRoute] as const
