import type { Domain } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Copy } from '../../parts/copy.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordTable } from '../../records/record-table.tsx'
import { RemoveButton } from '../../records/remove-button.tsx'
import { State } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { domainsRoute } from './route.tsx'

/** The mail domains that the account has proved to be its own, and those that it claims. */
export function DomainsPage() {
  const { account_id } = domainsRoute.useParams()
  const { domains } = useClient().accounts
  const queries = useQueryClient()
  const [domain, setDomain] = useState('')
  const queryKey = ['account', account_id, 'domains']
  const reread = () => queries.invalidateQueries({ queryKey })
  const list = useQuery({ queryKey, queryFn: () => domains.list(account_id) })
  const claim = useMutation({
    mutationFn: () => domains.claim(account_id, domain.trim()),
    onSuccess: async () => {
      setDomain('')
      await reread()
    },
  })
  const verify = useMutation({
    mutationFn: (name: string) => domains.verify(account_id, name),
    onSuccess: (proved) => toast(`${proved.domain} is proved.`),
    onSettled: reread,
  })
  return (
    <Page title="Domains" narrow>
      <AccountTabs account_id={account_id} />
      <p className="hint">
        People with an address of a proved domain sign in at the provider of the account. A claim is proved by
        a record of the DNS, within seven days.
      </p>
      <form
        className="flex max-w-lg flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!claim.isPending) claim.mutate()
        }}
      >
        <Field label="Domain" value={domain} onChange={setDomain} placeholder="acme.example" required />
        <button type="submit" className="button" disabled={claim.isPending || domain.trim() === ''}>
          Claim
        </button>
      </form>
      <Failure error={claim.error ?? verify.error} />
      <Loaded query={list}>
        {(found) => (
          <RecordTable
            caption="Domains"
            empty="No domain is claimed"
            rows={found}
            keyOf={(one) => one.domain}
            nameOf={(one) => one.domain}
            columns={[
              { name: 'State', cell: ({ status }) => <State of={status} /> },
              {
                name: 'Proof',
                cell: (one) =>
                  one.verified_at === null ? (
                    <Proof domain={one} />
                  ) : (
                    <>
                      proved <Moment at={one.verified_at} />
                    </>
                  ),
              },
            ]}
            actions={({ domain: name, status }) => (
              <>
                {status === 'pending' && (
                  <button
                    type="button"
                    className="button small"
                    aria-label={`Verify ${name}`}
                    disabled={verify.isPending}
                    onClick={() => verify.mutate(name)}
                  >
                    {verify.isPending && verify.variables === name ? 'Looking…' : 'Verify'}
                  </button>
                )}
                <RemoveButton
                  verb="Release"
                  of={name}
                  said={`${name} is free again.`}
                  run={() => domains.delete(account_id, name)}
                  onDone={reread}
                >
                  Its people sign in as others do from then on, and another account may prove it.
                </RemoveButton>
              </>
            )}
          />
        )}
      </Loaded>
    </Page>
  )
}

/** The record that the DNS has to show. */
function Proof({ domain: { record, expires_at } }: { readonly domain: Domain }) {
  return (
    <span className="grid gap-1">
      <span className="break-all">
        {record.type} <code className="text-12">{record.name}</code>
      </span>
      <span className="flex flex-wrap items-center gap-2">
        <code className="text-12 break-all">{record.value}</code>
        <Copy text={record.value} />
      </span>
      <span className="faint">
        ends <Moment at={expires_at} />
      </span>
    </span>
  )
}
