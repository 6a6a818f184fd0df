import type { Session } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

interface Props {
  readonly session: Session
  readonly onClose: () => void
  readonly reread: () => Promise<void>
}

export function RenameDialog({ session, onClose, reread }: Props) {
  const { project_id, session_id } = session
  const { sessions } = useClient().projects
  const queries = useQueryClient()
  const [name, setName] = useState(session.name ?? '')
  const rename = useMutation({
    mutationFn: () =>
      sessions.update(project_id, session_id, { name: name.trim() === '' ? null : name.trim() }),
    onSuccess: async () => {
      await Promise.all([reread(), queries.invalidateQueries({ queryKey: ['sessions', project_id] })])
      onClose()
    },
  })
  return (
    <Modal title="Rename the session" open onOpenChange={(open) => open || onClose()}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate()
        }}
      >
        <Field
          label="Name"
          value={name}
          onChange={setName}
          maxLength={200}
          hint="Without one it is called after its first prompt."
        />
        <Failure error={rename.error} />
        <p>
          <button type="submit" className="button primary" disabled={rename.isPending}>
            Rename
          </button>
        </p>
      </form>
    </Modal>
  )
}
