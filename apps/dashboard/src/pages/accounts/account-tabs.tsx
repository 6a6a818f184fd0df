import { Link } from '@tanstack/react-router'

/** The pages of an account. */
export function AccountTabs({ account_id }: { readonly account_id: string }) {
  const params = { account_id }
  return (
    <nav aria-label="Account" className="tabs">
      <Link to="/accounts/$account_id/members" params={params} className="tab">
        Members
      </Link>
      <Link to="/accounts/$account_id/service-accounts" params={params} className="tab">
        Service accounts
      </Link>
      <Link to="/accounts/$account_id/audit" params={params} className="tab">
        Audit
      </Link>
      <Link to="/accounts/$account_id/settings" params={params} className="tab">
        Settings
      </Link>
    </nav>
  )
}
