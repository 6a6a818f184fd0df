import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../frame/use-me.ts'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Page } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { accountSettingsRoute } from './route.tsx'

/** The plan of an account, and the model of its sessions. */
export function AccountSettingsPage() {
  const { account_id } = accountSettingsRoute.useParams()
  const { data: me } = useMe()
  const account = me?.accounts.find((one) => one.account_id === account_id)
  return (
    <Page title="Settings" narrow>
      <AccountTabs account_id={account_id} />
      {account !== undefined && (
        <>
          <dl className="facts">
            <dt>Account</dt>
            <dd dir="auto">{account.name}</dd>
            <dt>Plan</dt>
            <dd>{account.tier}</dd>
          </dl>
          <DefaultModel key={account_id} account_id={account_id} />
        </>
      )}
    </Page>
  )
}

function DefaultModel({ account_id }: { readonly account_id: string }) {
  const { accounts } = useClient()
  const queries = useQueryClient()
  const [model, setModel] = useState('')
  const save = useMutation({
    mutationFn: () =>
      accounts.update(account_id, { default_model: model.trim() === '' ? null : model.trim() }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['me'] })
      toast('Saved.')
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
      <Field
        label="Default model"
        value={model}
        onChange={setModel}
        placeholder="provider/model"
        hint="For projects that name none. Empty takes it away."
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
