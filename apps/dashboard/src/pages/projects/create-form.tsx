import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { newKey } from '../../drafts/new-key.ts'
import { useClient } from '../../sign-in/signed-in.tsx'

/** A project with a repository of its own, kept by the platform, that starts with a manifest and an agent. */
export function CreateForm() {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  // The same form is the same project, however often an answer is lost.
  const [idempotency_key] = useState(newKey)
  const create = useMutation({
    mutationFn: () => client.projects.provision({ name: name.trim(), idempotency_key }),
    onSuccess: async ({ project_id }) => {
      await queries.invalidateQueries({ queryKey: ['projects'] })
      await navigate({ to: '/projects/$project_id/sessions', params: { project_id } })
    },
  })
  return (
    <form
      className="grid max-w-lg gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!create.isPending && name.trim() !== '') create.mutate()
      }}
    >
      <Field
        label="Name"
        value={name}
        onChange={setName}
        required
        autoFocus
        maxLength={200}
        hint="The repository begins with a README, svc.yaml and one agent on the branch main."
      />
      <Failure error={create.error} />
      <p>
        <button type="submit" className="button primary" disabled={create.isPending || name.trim() === ''}>
          {create.isPending ? 'Creating…' : 'Create project'}
        </button>
      </p>
    </form>
  )
}
