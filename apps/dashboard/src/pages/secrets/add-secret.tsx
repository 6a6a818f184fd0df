import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Area, Field } from '../../parts/field.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

interface Props {
  readonly project_id: string
  readonly first: string
  /** The reader's own, for sessions that they start. */
  readonly personal: boolean
  readonly onClose: () => void
}

/** Writes a value. The platform seals it, and no page shows it again. */
export function AddSecret({ project_id, first, personal, onClose }: Props) {
  const { secrets } = useClient().projects
  const queries = useQueryClient()
  const [name, setName] = useState(first)
  const [value, setValue] = useState('')
  const save = useMutation({
    mutationFn: async () => {
      await (personal ? secrets.personal : secrets).set(project_id, name.trim(), value)
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [personal ? 'personal-secrets' : 'secrets', project_id] })
      toast(`Saved ${name.trim()}.`)
      onClose()
    },
  })
  return (
    <Modal
      title={personal ? 'Add a secret of yours' : 'Add secret'}
      open
      onOpenChange={(open) => open || onClose()}
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate()
        }}
      >
        <Field label="Name" value={name} onChange={setName} required autoComplete="off" spellCheck={false} />
        <Area
          label="Value"
          rows={3}
          value={value}
          onChange={setValue}
          required
          autoComplete="off"
          spellCheck={false}
          hint="Stored sealed; it is not shown again."
        />
        <Failure error={save.error} />
        <p>
          <button type="submit" className="button primary" disabled={save.isPending}>
            Save
          </button>
        </p>
      </form>
    </Modal>
  )
}
