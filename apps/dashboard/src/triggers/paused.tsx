import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Failure } from '../parts/failure.tsx'
import { useClient } from '../sign-in/signed-in.tsx'

/** The reason that nothing fires by itself, and a button that ends it. */
export function Paused({ project_id }: { readonly project_id: string }) {
  const client = useClient()
  const queries = useQueryClient()
  const resume = useMutation({
    mutationFn: () => client.projects.triggers.setPaused(project_id, false),
    onSettled: () => queries.invalidateQueries({ queryKey: ['triggers', project_id] }),
  })
  return (
    <div className="notice" role="status">
      <p>The triggers of this project are paused: nothing fires by itself; firing by hand works.</p>
      <button type="button" disabled={resume.isPending} onClick={() => resume.mutate()}>
        Resume
      </button>
      <Failure error={resume.error} />
    </div>
  )
}
