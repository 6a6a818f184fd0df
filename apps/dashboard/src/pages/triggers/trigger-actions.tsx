import type { Trigger } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Confirm } from '../../parts/dialog.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { EditTrigger } from './edit-trigger.tsx'
import { EnableButton } from './enable-button.tsx'
import { FireNow } from './fire-now.tsx'

interface Props {
  readonly project_id: string
  readonly trigger: Trigger
  readonly reread: () => Promise<void>
}

/** Fires it, switches it, edits it, or takes it out of the manifest. */
export function TriggerActions({ project_id, trigger, reread }: Props) {
  const { slug } = trigger
  const { triggers } = useClient().projects
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const remove = useMutation({
    mutationFn: () => triggers.delete(project_id, slug),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['triggers', project_id] })
      await navigate({ to: '/projects/$project_id/triggers', params: { project_id } })
    },
  })
  return (
    <>
      <FireNow project_id={project_id} slug={slug} onFired={reread} />
      <EnableButton project_id={project_id} trigger={trigger} />
      <GuardedButton
        needs="project.trigger.update"
        className="button small"
        onClick={() => setDialog('edit')}
      >
        <Pencil aria-hidden />
        Edit
      </GuardedButton>
      <GuardedButton
        needs="project.trigger.delete"
        className="button small danger"
        onClick={() => setDialog('delete')}
      >
        <Trash2 aria-hidden />
        Delete
      </GuardedButton>
      {dialog === 'edit' && (
        <EditTrigger
          project_id={project_id}
          trigger={trigger}
          onClose={() => setDialog(null)}
          onSaved={reread}
        />
      )}
      <Confirm
        title={`Delete the trigger ${slug}?`}
        open={dialog === 'delete'}
        onOpenChange={(open) => setDialog(open ? 'delete' : null)}
        verb="Delete"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        This commits to svc.yaml on the default branch. What it did stays in its ledger.
      </Confirm>
    </>
  )
}
