import { Link } from '@tanstack/react-router'
import { Page } from '../../parts/page.tsx'
import { TokenList } from '../../tokens/token-list.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { Browsers } from './browsers.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { LinkedSenders } from './linked-senders.tsx'
import { Profile } from './profile.tsx'
import { accountRoute } from './route.tsx'

const parts = [
  ['profile', 'Profile'],
  ['tokens', 'Tokens'],
  ['apps', 'Apps'],
  ['browsers', 'Browsers'],
  ['senders', 'Linked senders'],
] as const

/** The pages that belong to the person alone. */
export function AccountPage() {
  const { part } = accountRoute.useParams()
  const client = useClient()
  return (
    <Page title={parts.find(([key]) => key === part)?.[1] ?? 'Profile'} narrow>
      <nav aria-label="Account" className="tabs">
        {parts.map(([key, label]) => (
          <Link key={key} to="/account/$part" params={{ part: key }} className="tab">
            {label}
          </Link>
        ))}
      </nav>
      {part === 'tokens' ? (
        <TokenList
          title="Access tokens"
          hint="Each acts as you, for the svc client and your own programs."
          queryKey={['tokens']}
          tokens={{
            list: () => client.tokens.list(),
            create: (input) => client.tokens.create(input),
            revoke: (token_id) => client.tokens.revoke(token_id),
          }}
        />
      ) : part === 'apps' ? (
        <ConnectedApps />
      ) : part === 'browsers' ? (
        <Browsers />
      ) : part === 'senders' ? (
        <LinkedSenders />
      ) : (
        <Profile />
      )}
    </Page>
  )
}
