import { type AccountSso, isApiError } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Copy } from '../../parts/copy.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { RemoveButton } from '../../records/remove-button.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { ssoRoute } from './route.tsx'

/** The OpenID provider at which people of the account's domains sign in. */
export function SsoPage() {
  const { account_id } = ssoRoute.useParams()
  const { sso } = useClient().accounts
  const queries = useQueryClient()
  const queryKey = ['account', account_id, 'sso']
  const provider = useQuery({
    queryKey,
    queryFn: async () => {
      try {
        return await sso.get(account_id)
      } catch (error) {
        if (isApiError(error) && error.status === 404) return null
        throw error
      }
    },
  })
  const reread = () => queries.invalidateQueries({ queryKey })
  return (
    <Page title="Single sign-on" narrow>
      <AccountTabs account_id={account_id} />
      <Loaded query={provider}>
        {(found) => (
          <>
            {found === null && (
              <p className="hint">There is no provider yet: people sign in as on every other account.</p>
            )}
            <Provider
              key={found?.updated_at ?? 'none'}
              account_id={account_id}
              provider={found}
              onSaved={reread}
            />
            {found !== null && (
              <section className="grid justify-items-start gap-2 border-t border-n6 pt-4">
                <h2>Do without it</h2>
                <p className="hint">People sign in as before, and the sign-ins that came by it end.</p>
                <RemoveButton
                  verb="Remove"
                  of={found.issuer}
                  said="The provider is removed."
                  run={() => sso.delete(account_id)}
                  onDone={reread}
                >
                  People sign in as before, and the sign-ins that came by it end now.
                </RemoveButton>
              </section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

const defaultRoles = ['member', 'admin'] as const

interface Props {
  readonly account_id: string
  readonly provider: AccountSso | null
  readonly onSaved: () => Promise<unknown>
}

function Provider({ account_id, provider, onSaved }: Props) {
  const { sso } = useClient().accounts
  const [issuer, setIssuer] = useState(provider?.issuer ?? '')
  const [client_id, setClient] = useState(provider?.client_id ?? '')
  const [secret, setSecret] = useState('')
  const [role, setRole] = useState(provider?.default_role ?? 'member')
  const [enforced, setEnforced] = useState(provider?.enforced ?? false)
  const save = useMutation({
    mutationFn: () =>
      sso.set(account_id, {
        issuer: issuer.trim(),
        client_id: client_id.trim(),
        ...(secret === '' ? {} : { client_secret: secret }),
        default_role: role,
        enforced,
      }),
    onSuccess: async () => {
      toast('Saved. The provider answered as it should.')
      await onSaved()
    },
  })
  return (
    <form
      className="grid max-w-lg gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate()
      }}
    >
      <Field
        label="Issuer"
        type="url"
        value={issuer}
        onChange={setIssuer}
        required
        placeholder="https://id.acme.example"
      />
      <Field label="Client ID" value={client_id} onChange={setClient} required autoComplete="off" />
      <Field
        label="Client secret"
        type="password"
        value={secret}
        onChange={setSecret}
        required={provider === null}
        autoComplete="off"
        hint={
          provider === null
            ? 'Stored sealed; it is not shown again.'
            : 'Empty keeps the one that is there, as long as issuer and client stay.'
        }
      />
      <Select
        label="Who joins by it is"
        value={role}
        onChange={(next) => setRole(defaultRoles.find((one) => one === next) ?? 'member')}
        options={defaultRoles.map((one) => [one, one] as const)}
      />
      <label className="check">
        <input type="checkbox" checked={enforced} onChange={({ target }) => setEnforced(target.checked)} />
        People of the proved domains sign in this way alone
      </label>
      {provider !== null && (
        <p className="flex flex-wrap items-center gap-2 text-13">
          <span>Redirect address to register there</span>
          <code className="min-w-0 break-all">{provider.redirect_uri}</code>
          <Copy text={provider.redirect_uri} />
        </p>
      )}
      <Failure error={save.error} />
      <p>
        <button type="submit" className="button primary" disabled={save.isPending}>
          {save.isPending ? 'Asking the provider…' : 'Save'}
        </button>
      </p>
    </form>
  )
}
