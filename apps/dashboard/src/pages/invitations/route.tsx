import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/routes.ts'

export const invitationsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'invitations',
  component: lazyRouteComponent(() => import('./invitations-page.tsx'), 'InvitationsPage'),
})

export const frameRoutes = [invitationsRoute] as const
