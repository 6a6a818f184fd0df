import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'

export const approvalRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'approvals/$call_id',
  component: lazyPage(() => import('./approval-page.tsx'), 'ApprovalPage'),
})

export const connectorCallRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'connector-calls/$call_id',
  component: lazyPage(() => import('./settle-page.tsx'), 'SettlePage'),
})

export const projectRoutes = [approvalRoute, connectorCallRoute] as const
