import { watchLevels } from '@svc/facts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Segments } from '../../parts/segments.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

const words = { all: 'Everything', mine: 'My own part', none: 'Nothing' } as const

/** The part of the project that the person is told of. */
export function Watch({ project_id }: { readonly project_id: string }) {
  const { notifications } = useClient()
  const queries = useQueryClient()
  const queryKey = ['watch', project_id]
  const watch = useQuery({ queryKey, queryFn: () => notifications.watched(project_id) })
  const change = useMutation({
    mutationFn: (level: (typeof watchLevels)[number]) => notifications.watch(project_id, level),
    onSuccess: (now) => queries.setQueryData(queryKey, now),
  })
  return (
    <section className="grid max-w-lg gap-2">
      <h2>Notifications</h2>
      <p className="hint">
        Your own part: sessions that you started, what they ask, their change requests, and triggers that you
        wrote last; for managers also failed triggers and budgets.
      </p>
      <Loaded query={watch}>
        {({ level }) => (
          <div className="flex">
            <Segments
              label="Tell me of"
              options={watchLevels.map((one) => [one, words[one]] as const)}
              // The choice at once; where it is refused, what stands.
              value={change.isPending ? change.variables : level}
              onChange={(next) => change.mutate(next)}
            />
          </div>
        )}
      </Loaded>
      <Failure error={change.error} />
    </section>
  )
}
