import { Link } from '@tanstack/react-router'

const parts = [
  ['members', 'Members'],
  ['roles', 'Roles'],
  ['service-accounts', 'Service accounts'],
  ['keys', 'Keys'],
  ['scim', 'SCIM'],
  ['domains', 'Domains'],
  ['sso', 'Single sign-on'],
  ['sign-in', 'Sign-in'],
  ['audit', 'Audit'],
  ['settings', 'Settings'],
] as const

/** The pages of an account. */
export function AccountTabs({ account_id }: { readonly account_id: string }) {
  return (
    <nav aria-label="Account" className="tabs flex-wrap">
      {parts.map(([part, label]) => (
        <Link
          key={part}
          to={`/accounts/$account_id/${part}`}
          params={{ account_id }}
          className="tab"
          activeOptions={{ includeSearch: false }}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
