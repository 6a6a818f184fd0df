import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

/** The name that others see, which its person changes; the address stays. */
export function PersonalName({ name: first, email }: { readonly name: string; readonly email: string }) {
  const client = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState(first)
  const save = useMutation({
    mutationFn: () => client.updateMe({ name: name.trim() }),
    onSuccess: async (me) => {
      queries.setQueryData(['me'], me)
      await queries.invalidateQueries({ queryKey: ['people'] })
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
      <Field
        label="Name"
        value={name}
        onChange={setName}
        required
        maxLength={100}
        autoComplete="name"
        dir="auto"
        hint={`As others see you beside ${email}.`}
      />
      <Failure error={save.error} />
      <p>
        <button
          type="submit"
          className="button"
          disabled={save.isPending || name.trim() === '' || name.trim() === first}
        >
          Save
        </button>
      </p>
    </form>
  )
}
