import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../parts/dialog.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'

interface Props {
  readonly project_id: string
  readonly name: string
  /** The reader's own. */
  readonly personal: boolean
}

export function DeleteSecret({ project_id, name, personal }: Props) {
  const { secrets } = useClient().projects
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  const remove = useMutation({
    mutationFn: () => (personal ? secrets.personal : secrets).delete(project_id, name),
    onSuccess: async () => {
      setOpen(false)
      await queries.invalidateQueries({ queryKey: [personal ? 'personal-secrets' : 'secrets', project_id] })
    },
  })
  return (
    <>
      <GuardedButton
        needs={personal ? 'project.session.start' : 'project.secret.write'}
        className="button small danger"
        onClick={() => setOpen(true)}
      >
        Delete
      </GuardedButton>
      <Confirm
        title={`Delete ${name}?`}
        open={open}
        onOpenChange={setOpen}
        verb="Delete"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        New sessions go without it. The value cannot be brought back.
      </Confirm>
    </>
  )
}
