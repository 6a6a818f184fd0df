import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/routes.ts'
import { textsOf } from '../../frame/search.ts'

export const accountMembersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/members',
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'AccountMembersPage'),
})

export const serviceAccountsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/service-accounts',
  component: lazyRouteComponent(() => import('./service-accounts-page.tsx'), 'ServiceAccountsPage'),
})

export const auditRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/audit',
  validateSearch: (search: Record<string, unknown>) =>
    textsOf(search, 'actor', 'action', 'outcome', 'from', 'to'),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
})

export const accountSettingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/settings',
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'AccountSettingsPage'),
})

export const frameRoutes = [
  accountMembersRoute,
  serviceAccountsRoute,
  auditRoute,
  accountSettingsRoute,
] as const
