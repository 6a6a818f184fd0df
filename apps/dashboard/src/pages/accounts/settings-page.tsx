import type { Me } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../frame/use-me.ts'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Page } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { BrandingForm } from './branding-form.tsx'
import { PlanAndCredit } from './plan-and-credit.tsx'
import { accountSettingsRoute } from './route.tsx'

type OwnAccount = Me['accounts'][number]

/** The name and the plan of an account, and what its sessions begin with. */
export function AccountSettingsPage() {
  const { account_id } = accountSettingsRoute.useParams()
  const { data: me } = useMe()
  const account = me?.accounts.find((one) => one.account_id === account_id)
  return (
    <Page title="Settings" narrow>
      <AccountTabs account_id={account_id} />
      {account !== undefined && (
        <div className="grid gap-8">
          <General key={account_id} account={account} />
          {account.role !== 'member' && <PlanAndCredit account_id={account_id} />}
          <BrandingForm key={`${account_id} branding`} account={account} />
        </div>
      )}
    </Page>
  )
}

function General({ account }: { readonly account: OwnAccount }) {
  const { accounts } = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState(account.name)
  const [model, setModel] = useState(account.default_model ?? '')
  const save = useMutation({
    mutationFn: () =>
      accounts.update(account.account_id, {
        name: name.trim(),
        default_model: model.trim() === '' ? null : model.trim(),
      }),
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
        if (!save.isPending) save.mutate()
      }}
    >
      <Field label="Name" value={name} onChange={setName} required maxLength={100} />
      <Field
        label="Default model (optional)"
        value={model}
        onChange={setModel}
        placeholder="provider/model"
        hint="For projects that name none. Empty takes it away."
      />
      <dl className="facts">
        <dt>Plan</dt>
        <dd>{account.tier}</dd>
        <dt>Your role</dt>
        <dd>{account.role}</dd>
      </dl>
      <Failure error={save.error} />
      <p>
        <button type="submit" className="button" disabled={save.isPending || name.trim() === ''}>
          Save
        </button>
      </p>
    </form>
  )
}
