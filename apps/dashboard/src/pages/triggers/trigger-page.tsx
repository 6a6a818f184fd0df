import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Failure } from '../../parts/failure.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { Deliveries } from './deliveries.tsx'
import { Fires } from './fires.tsx'
import { triggerRoute } from './route.tsx'
import { TriggerActions } from './trigger-actions.tsx'
import { TriggerFacts } from './trigger-facts.tsx'

/** A trigger: when it fires, what it says, what became of each occurrence, and what came for it. */
export function TriggerPage() {
  const { project_id, slug } = triggerRoute.useParams()
  const { tab = 'fires' } = triggerRoute.useSearch()
  const { triggers } = useClient().projects
  const queries = useQueryClient()
  const navigate = useNavigate({ from: triggerRoute.fullPath })
  const query = useQuery({
    queryKey: ['trigger', project_id, slug, 'row'],
    queryFn: () => triggers.get(project_id, slug),
  })
  const reread = () => queries.invalidateQueries({ queryKey: ['trigger', project_id, slug] })
  const up = { to: `/projects/${project_id}/triggers`, label: 'Triggers' }
  const trigger = query.data
  if (trigger === undefined)
    return (
      <Page title={slug} up={up}>
        <Failure error={query.error} />
        {query.error === null && <Loading />}
      </Page>
    )
  const tabs = [
    { key: 'fires', label: 'Fires' },
    ...(trigger.type === 'webhook' ? [{ key: 'deliveries', label: 'Deliveries' } as const] : []),
  ] as const
  return (
    <Page
      title={trigger.name}
      up={up}
      beside={
        <>
          {trigger.last_status !== null && <State of={trigger.last_status} />}
          {!trigger.enabled && <span className="chip">disabled</span>}
        </>
      }
      actions={<TriggerActions project_id={project_id} trigger={trigger} reread={reread} />}
      context={<TriggerFacts project_id={project_id} trigger={trigger} />}
    >
      <Failure error={query.error} />
      {trigger.last_error !== null && (
        <p className="notice bad">
          <span>Last attempt: {trigger.last_error}</span>
        </p>
      )}
      <Tabs
        label="Of the trigger"
        tabs={tabs}
        value={tab === 'deliveries' && trigger.type !== 'webhook' ? 'fires' : tab}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
      >
        {tab === 'deliveries' && trigger.type === 'webhook' ? (
          <Deliveries project_id={project_id} slug={slug} />
        ) : (
          <Fires project_id={project_id} slug={slug} />
        )}
      </Tabs>
    </Page>
  )
}
