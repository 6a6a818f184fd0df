import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Page } from '../../parts/page.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { newTriggerRoute } from './route.tsx'
import { TriggerForm } from './trigger-form.tsx'
import { createInput, noFields } from './trigger-input.ts'

export function NewTriggerPage() {
  const { project_id } = newTriggerRoute.useParams()
  const { triggers } = useClient().projects
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [fields, setFields] = useState(noFields)
  const create = useMutation({
    mutationFn: () => triggers.create(project_id, createInput(fields)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['triggers', project_id] })
      await navigate({ to: '/projects/$project_id/triggers', params: { project_id } })
    },
  })
  return (
    <Page title="New trigger" narrow up={{ to: `/projects/${project_id}/triggers`, label: 'Triggers' }}>
      <TriggerForm
        fields={fields}
        known={false}
        onChange={(change) => setFields((before) => ({ ...before, ...change }))}
        onSubmit={() => create.mutate()}
      >
        <Failure error={create.error} />
        <p>
          <GuardedButton
            needs="project.trigger.create"
            type="submit"
            className="button primary"
            disabled={create.isPending}
          >
            {create.isPending ? 'Creating…' : 'Create trigger'}
          </GuardedButton>
        </p>
      </TriggerForm>
    </Page>
  )
}
