import type { Trigger } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Failure } from '../../parts/failure.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'

interface Props {
  readonly project_id: string
  readonly trigger: Pick<Trigger, 'slug' | 'enabled'>
}

/** Switches a trigger on or off in the manifest. */
export function EnableButton({ project_id, trigger: { slug, enabled } }: Props) {
  const { triggers } = useClient().projects
  const queries = useQueryClient()
  const toggle = useMutation({
    mutationFn: () => triggers.update(project_id, slug, { enabled: !enabled }),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['triggers', project_id] })
      await queries.invalidateQueries({ queryKey: ['trigger', project_id, slug] })
    },
  })
  return (
    <>
      <GuardedButton
        needs="project.trigger.update"
        className="button small"
        disabled={toggle.isPending}
        title="Commits to svc.yaml on the default branch"
        onClick={() => toggle.mutate()}
      >
        {enabled ? 'Disable' : 'Enable'}
      </GuardedButton>
      <Failure error={toggle.error} />
    </>
  )
}
