import type { Seeded } from './seed.ts'

export interface Shot {
  readonly name: string
  /** Below `/dashboard`. */
  readonly path: string
  /** A selector of what comes after all else. */
  readonly shows?: string
}

/** Colours of code come from a worker, after the code itself. */
const coloured = '.diff [class*="tok-"]'

/** The pictures of the README and of the docs. */
export function documented({ project: { project_id }, sessions }: Seeded): readonly Shot[] {
  const project = `/projects/${project_id}`
  return [
    { name: 'home', path: '/' },
    { name: 'session', path: `${project}/sessions/${sessions.cards}` },
    { name: 'change-request', path: `${project}/change-requests/1?tab=files`, shows: coloured },
    { name: 'triggers', path: `${project}/triggers` },
  ]
}

/** Every page, to look at. */
export function everyPage(seeded: Seeded): readonly Shot[] {
  const { project, account_id, sessions } = seeded
  const inProject = (part: string) => `/projects/${project.project_id}${part}`
  const inAccount = (part: string) => `/accounts/${account_id}/${part}`
  const pages: readonly (readonly [string, string])[] = [
    ['notifications', '/notifications'],
    ['notification-settings', '/notifications/settings'],
    ['projects', '/projects'],
    ['projects-new', '/projects/new'],
    ['sessions', inProject('/sessions')],
    ['sessions-new', inProject('/sessions/new')],
    ['session-done', inProject(`/sessions/${sessions.discounts}`)],
    ['session-working', inProject(`/sessions/${sessions.search}`)],
    ['session-stopped', inProject(`/sessions/${sessions.receipts}`)],
    ['change-requests', inProject('/change-requests')],
    ['cr-overview', inProject('/change-requests/1')],
    ['cr-split', inProject('/change-requests/1?tab=files&view=split')],
    ['cr-commits', inProject('/change-requests/1?tab=commits')],
    ['cr-activity', inProject('/change-requests/1?tab=activity')],
    ['cr-second', inProject('/change-requests/2')],
    ['trigger', inProject('/triggers/nightly')],
    ['trigger-webhook', inProject('/triggers/orders?tab=deliveries')],
    ['trigger-new', inProject('/triggers/new')],
    ['files', inProject('/files/')],
    ['file', inProject('/files/src/total.js')],
    ['commits', inProject('/commits')],
    ['manifest', inProject('/manifest')],
    ['secrets', inProject('/secrets')],
    ['members', inProject('/members')],
    ['settings', inProject('/settings')],
    ['account-profile', '/account/profile'],
    ['account-tokens', '/account/tokens'],
    ['account-apps', '/account/apps'],
    ['account-browsers', '/account/browsers'],
    ...[
      'members',
      'roles',
      'service-accounts',
      'keys',
      'scim',
      'domains',
      'sso',
      'sign-in',
      'spend',
      'audit',
      'settings',
    ].map((part) => [`accounts-${part}`, inAccount(part)] as const),
    ['accounts-budgets', inAccount('spend?tab=budgets')],
    ['accounts-ledger', inAccount('spend?tab=ledger')],
    ['models', inProject('/models')],
    ['budgets', inProject('/models?tab=budgets')],
    ['admin', '/admin'],
    ['invitations', '/invitations'],
    ['no-such-page', '/no-such-page'],
  ]
  return [...documented(seeded), ...pages.map(([name, path]) => ({ name, path }))]
}
