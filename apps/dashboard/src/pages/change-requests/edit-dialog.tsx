import type { ChangeRequest } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Area, Field } from '../../parts/field.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

interface Props {
  readonly cr: ChangeRequest
  readonly onClose: () => void
  readonly reread: () => Promise<void>
}

export function EditDialog({ cr, onClose, reread }: Props) {
  const { changeRequests } = useClient().projects
  const [title, setTitle] = useState(cr.title)
  const [description, setDescription] = useState(cr.description)
  const save = useMutation({
    mutationFn: () => changeRequests.update(cr.project_id, cr.cr_id, { title, description }),
    onSuccess: async () => {
      await reread()
      onClose()
    },
  })
  return (
    <Modal title={`Edit #${cr.number}`} open onOpenChange={(open) => open || onClose()}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field label="Title" value={title} onChange={setTitle} required />
        <Area label="Description" rows={8} value={description} onChange={setDescription} hint="Markdown" />
        <Failure error={save.error} />
        <p>
          <button type="submit" className="button primary" disabled={save.isPending || title.trim() === ''}>
            Save
          </button>
        </p>
      </form>
    </Modal>
  )
}
