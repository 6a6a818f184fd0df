import { useQuery } from '@tanstack/react-query'
import { Empty } from '../parts/empty.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import { Paused } from './paused.tsx'
import { TriggerCard } from './trigger-card.tsx'

export function TriggersPage({ project_id }: { readonly project_id: string }) {
  const client = useClient()
  const query = useQuery({
    queryKey: ['triggers', project_id],
    queryFn: () => client.projects.triggers.list(project_id),
    refetchInterval: 15_000,
  })
  return (
    <>
      <PageTitle text="Triggers" />
      <Loaded query={query}>
        {({ triggers, triggers_paused, errors }) => (
          <>
            {triggers_paused && <Paused project_id={project_id} />}
            {errors.map(({ slug, path, error }) => (
              <p key={`${path}${error}`} className="failure">
                {slug ?? path} cannot be used: {error}
              </p>
            ))}
            {triggers.length === 0 && errors.length === 0 && (
              <Empty title="No trigger yet">
                <p>
                  Add one to <code>triggers</code> in <code>svc.yaml</code>, or with{' '}
                  <code>svc triggers add</code>.
                </p>
              </Empty>
            )}
            {triggers.map((trigger) => (
              <TriggerCard key={trigger.slug} project_id={project_id} trigger={trigger} />
            ))}
          </>
        )}
      </Loaded>
    </>
  )
}
