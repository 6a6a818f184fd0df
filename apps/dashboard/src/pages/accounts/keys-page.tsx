import type { KeyRules } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordTable } from '../../records/record-table.tsx'
import { RemoveButton } from '../../records/remove-button.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { keysRoute } from './route.tsx'

/** The rules that the account has for new keys, and the keys of its service accounts. */
export function KeysPage() {
  const { account_id } = keysRoute.useParams()
  const { accounts } = useClient()
  const rules = useQuery({
    queryKey: ['account', account_id, 'key-rules'],
    queryFn: () => accounts.keyRules(account_id),
  })
  return (
    <Page title="Keys" narrow>
      <AccountTabs account_id={account_id} />
      <Loaded query={rules}>{(found) => <Rules account_id={account_id} rules={found} />}</Loaded>
      <ServiceKeys account_id={account_id} />
    </Page>
  )
}

function Rules({ account_id, rules }: { readonly account_id: string; readonly rules: KeyRules }) {
  const { accounts } = useClient()
  const queries = useQueryClient()
  const [required, setRequired] = useState(rules.expiry_required)
  const [days, setDays] = useState(rules.max_days === null ? '' : String(rules.max_days))
  const save = useMutation({
    mutationFn: () =>
      accounts.setKeyRules(account_id, {
        expiry_required: required,
        max_days: days.trim() === '' ? null : Number(days),
      }),
    onSuccess: async () => {
      toast('Saved. Keys that are made from now on are asked for it.')
      await queries.invalidateQueries({ queryKey: ['account', account_id, 'key-rules'] })
    },
  })
  return (
    <form
      className="grid max-w-md gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <h2>Rules of new keys</h2>
      <label className="check">
        <input type="checkbox" checked={required} onChange={({ target }) => setRequired(target.checked)} />
        Every key needs an end
      </label>
      <Field
        label="At most so many days"
        inputMode="numeric"
        pattern="[0-9]*"
        value={days}
        onChange={setDays}
        hint="Empty for any. Keys that are there already stay as they are."
      />
      <Failure error={save.error} />
      <p>
        <button type="submit" className="button" disabled={save.isPending}>
          Save
        </button>
      </p>
    </form>
  )
}

function ServiceKeys({ account_id }: { readonly account_id: string }) {
  const { serviceAccounts } = useClient().accounts
  const queries = useQueryClient()
  const queryKey = ['account', account_id, 'service-accounts', 'keys']
  const list = useQuery({
    queryKey,
    queryFn: async () => {
      const owners = await serviceAccounts.list(account_id)
      const keys = await Promise.all(
        owners.map(async ({ service_account_id, name: owner }) =>
          (await serviceAccounts.keys(account_id, service_account_id)).map((key) => ({
            ...key,
            owner,
            service_account_id,
          })),
        ),
      )
      return keys.flat()
    },
  })
  return (
    <section className="grid gap-2">
      <h2>Keys of service accounts</h2>
      <Loaded query={list}>
        {(found) => (
          <RecordTable
            caption="Keys"
            empty="No service account has a key"
            rows={found}
            keyOf={({ token_id }) => token_id}
            nameOf={({ name }) => name}
            noteOf={({ owner }) => owner}
            columns={[
              { name: 'Begins with', cell: ({ prefix }) => <code>{prefix}</code> },
              {
                name: 'Used',
                cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Moment at={last_used_at} />),
              },
              {
                name: 'Ends',
                cell: ({ expires_at }) => (expires_at === null ? 'when revoked' : <Moment at={expires_at} />),
              },
            ]}
            actions={({ token_id, service_account_id, name }) => (
              <RemoveButton
                verb="Revoke"
                of={name}
                said="The key is revoked."
                run={() => serviceAccounts.revokeKey(account_id, service_account_id, token_id)}
                onDone={() => queries.invalidateQueries({ queryKey })}
              >
                What uses it is refused from now on.
              </RemoveButton>
            )}
          />
        )}
      </Loaded>
    </section>
  )
}
