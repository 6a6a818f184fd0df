import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { TokenList } from '../../tokens/token-list.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { RemoveButton } from '../../records/remove-button.tsx'
import { serviceAccountsRoute } from './route.tsx'

/** Callers that are no persons, each with keys of its own. */
export function ServiceAccountsPage() {
  const { account_id } = serviceAccountsRoute.useParams()
  const { serviceAccounts } = useClient().accounts
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const queryKey = ['account', account_id, 'service-accounts']
  const list = useQuery({ queryKey, queryFn: () => serviceAccounts.list(account_id) })
  const create = useMutation({
    mutationFn: () => serviceAccounts.create(account_id, { name: name.trim() }),
    onSuccess: async () => {
      setName('')
      await queries.invalidateQueries({ queryKey })
    },
  })
  return (
    <Page title="Service accounts" narrow>
      <AccountTabs account_id={account_id} />
      <form
        className="flex max-w-lg flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Field label="Name" value={name} onChange={setName} required />
        <button type="submit" className="button" disabled={create.isPending || name.trim() === ''}>
          Create service account
        </button>
      </form>
      <Failure error={create.error} />
      <Loaded query={list}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No service account yet" />
          ) : (
            found.map(({ service_account_id, name: title }) => (
              <div key={service_account_id} className="grid justify-items-start gap-2">
                <TokenList
                  title={title}
                  hint="Its keys."
                  queryKey={[...queryKey, service_account_id]}
                  tokens={{
                    list: () => serviceAccounts.keys(account_id, service_account_id),
                    create: (input) => serviceAccounts.createKey(account_id, service_account_id, input),
                    revoke: (token_id) => serviceAccounts.revokeKey(account_id, service_account_id, token_id),
                  }}
                />
                <RemoveButton
                  verb="Delete"
                  of={title}
                  run={() => serviceAccounts.delete(account_id, service_account_id)}
                  onDone={() => queries.invalidateQueries({ queryKey })}
                  said={`Deleted ${title}.`}
                >
                  Its keys stop working at once. What it did stays in the audit log.
                </RemoveButton>
              </div>
            ))
          )
        }
      </Loaded>
    </Page>
  )
}
