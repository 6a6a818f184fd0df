import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { frameRoute } from '../../frame/routes.ts'

export const invitationsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'invitations',
  component: lazyPage(() => import('./invitations-page.tsx'), 'InvitationsPage'),
})

export const frameRoutes = [invitationsRoute] as const
