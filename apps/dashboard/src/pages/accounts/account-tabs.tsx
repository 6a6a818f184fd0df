import { Link } from '@tanstack/react-router'
import { useMe } from '../../frame/use-me.ts'

const parts = [
  ['members', 'Members'],
  ['roles', 'Roles'],
  ['service-accounts', 'Service accounts'],
  ['keys', 'Keys'],
  ['scim', 'SCIM'],
  ['domains', 'Domains'],
  ['sso', 'Single sign-on'],
  ['sign-in', 'Sign-in'],
  ['spend', 'Spend'],
  ['events', 'Events'],
  ['audit', 'Audit'],
  ['settings', 'Settings'],
] as const

/** The pages of an account. */
export function AccountTabs({ account_id }: { readonly account_id: string }) {
  const { data: me } = useMe()
  const member = me?.accounts.some((one) => one.account_id === account_id && one.role === 'member')
  // Money and the events of all projects are for admins alone, as the API has it.
  const shown = member === true ? parts.filter(([part]) => part !== 'spend' && part !== 'events') : parts
  return (
    <nav aria-label="Account" className="tabs">
      {shown.map(([part, label]) => (
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
