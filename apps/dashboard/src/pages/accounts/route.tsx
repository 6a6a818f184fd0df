import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { frameRoute } from '../../frame/routes.ts'
import { oneOf, textsOf } from '../../frame/search.ts'
import { spendDays } from '../../money/spend/groups.ts'

/** The filter of a list and the record that is open, which stand in the address. */
const listSearch = (search: Record<string, unknown>) => textsOf(search, 'q', 'record')

export const accountMembersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/members',
  validateSearch: listSearch,
  component: lazyPage(() => import('./members-page.tsx'), 'AccountMembersPage'),
})

export const serviceAccountsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/service-accounts',
  component: lazyPage(() => import('./service-accounts-page.tsx'), 'ServiceAccountsPage'),
})

export const rolesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/roles',
  validateSearch: listSearch,
  component: lazyPage(() => import('./roles/roles-page.tsx'), 'RolesPage'),
})

export const keysRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/keys',
  validateSearch: listSearch,
  component: lazyPage(() => import('./keys-page.tsx'), 'KeysPage'),
})

export const scimRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/scim',
  validateSearch: listSearch,
  component: lazyPage(() => import('./scim/scim-page.tsx'), 'ScimPage'),
})

export const domainsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/domains',
  validateSearch: listSearch,
  component: lazyPage(() => import('./domains-page.tsx'), 'DomainsPage'),
})

export const ssoRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/sso',
  component: lazyPage(() => import('./sso-page.tsx'), 'SsoPage'),
})

export const signInRulesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/sign-in',
  component: lazyPage(() => import('./sign-in-rules-page.tsx'), 'SignInRulesPage'),
})

export const accountSpendTabs = ['spend', 'budgets', 'ledger'] as const
export const accountSpendGroups = ['project', 'agent', 'model', 'provider', 'day'] as const

interface AccountSpendSearch {
  readonly tab?: (typeof accountSpendTabs)[number] | undefined
  readonly by?: (typeof accountSpendGroups)[number] | undefined
  readonly days?: (typeof spendDays)[number] | undefined
}

export const accountSpendRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/spend',
  validateSearch: (search: Record<string, unknown>): AccountSpendSearch => ({
    tab: oneOf(accountSpendTabs, search['tab']),
    by: oneOf(accountSpendGroups, search['by']),
    days: oneOf(spendDays, String(search['days'] ?? '')),
  }),
  component: lazyPage(() => import('./spend/spend-page.tsx'), 'AccountSpendPage'),
})

export const auditRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/audit',
  validateSearch: (search: Record<string, unknown>) =>
    textsOf(search, 'actor', 'action', 'outcome', 'from', 'to'),
  component: lazyPage(() => import('./audit-page.tsx'), 'AuditPage'),
})

export const accountSettingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'accounts/$account_id/settings',
  component: lazyPage(() => import('./settings-page.tsx'), 'AccountSettingsPage'),
})

export const frameRoutes = [
  accountMembersRoute,
  rolesRoute,
  serviceAccountsRoute,
  keysRoute,
  scimRoute,
  domainsRoute,
  ssoRoute,
  signInRulesRoute,
  accountSpendRoute,
  auditRoute,
  accountSettingsRoute,
] as const
