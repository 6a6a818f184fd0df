import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../frame/routes.ts'

export const approvalRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'approvals/$call_id',
  component: lazyRouteComponent(() => import('./approval-page.tsx'), 'ApprovalPage'),
})

export const connectorCallRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'connector-calls/$call_id',
  component: lazyRouteComponent(() => import('./settle-page.tsx'), 'SettlePage'),
})

export const projectRoutes = [approvalRoute, connectorCallRoute] as const
