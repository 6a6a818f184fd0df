import type { Me } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

/** The name and the colour that the members of an account see above the navigation. */
export function BrandingForm({ account }: { readonly account: Me['accounts'][number] }) {
  const { accounts } = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState(account.branding?.display_name ?? '')
  const [accent, setAccent] = useState(account.branding?.accent ?? '')
  const save = useMutation({
    mutationFn: () =>
      accounts.setBranding(account.account_id, { display_name: orNull(name), accent: orNull(accent) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['me'] })
      toast('Saved.')
    },
  })
  return (
    <form
      className="grid max-w-md gap-3"
      aria-labelledby="branding"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate()
      }}
    >
      <h2 id="branding">Branding</h2>
      <Field
        label="Shown name (optional)"
        value={name}
        onChange={setName}
        maxLength={60}
        hint="Above the navigation of the people of this account."
      />
      <Field
        label="Colour (optional)"
        value={accent}
        onChange={setAccent}
        hint="# and six hexadecimal digits. Empty takes it away."
      />
      <Failure error={save.error} />
      <p>
        <button type="submit" className="button" disabled={save.isPending}>
          Save branding
        </button>
      </p>
    </form>
  )
}
