import type { Trigger } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { TriggerForm } from './trigger-form.tsx'
import { fieldsOf, updateInput } from './trigger-input.ts'

interface Props {
  readonly project_id: string
  readonly trigger: Trigger
  readonly onClose: () => void
  readonly onSaved: () => Promise<void>
}

export function EditTrigger({ project_id, trigger, onClose, onSaved }: Props) {
  const { triggers } = useClient().projects
  const [before] = useState(() => fieldsOf(trigger))
  const [fields, setFields] = useState(before)
  const save = useMutation({
    mutationFn: async () => {
      const input = updateInput(before, fields)
      if (input !== null) await triggers.update(project_id, trigger.slug, input)
    },
    onSuccess: async () => {
      await onSaved()
      onClose()
    },
  })
  return (
    <Modal title={`Edit ${trigger.slug}`} open onOpenChange={(open) => open || onClose()}>
      <TriggerForm
        fields={fields}
        known
        onChange={(change) => setFields((now) => ({ ...now, ...change }))}
        onSubmit={() => save.mutate()}
      >
        <Failure error={save.error} />
        <p>
          <button type="submit" className="button primary" disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save'}
          </button>
        </p>
      </TriggerForm>
    </Modal>
  )
}
