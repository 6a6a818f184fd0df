import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Confirm } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { Deliveries } from './deliveries.tsx'
import { EditTrigger } from './edit-trigger.tsx'
import { EnableButton } from './enable-button.tsx'
import { FireNow } from './fire-now.tsx'
import { Fires } from './fires.tsx'
import { triggerRoute } from './route.tsx'
import { TriggerFacts } from './trigger-facts.tsx'

/** A trigger: when it fires, what it says, what became of each occurrence, and what came for it. */
export function TriggerPage() {
  const { project_id, slug } = triggerRoute.useParams()
  const { tab = 'fires' } = triggerRoute.useSearch()
  const { triggers } = useClient().projects
  const queries = useQueryClient()
  const navigate = useNavigate({ from: triggerRoute.fullPath })
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const query = useQuery({
    queryKey: ['trigger', project_id, slug, 'row'],
    queryFn: () => triggers.get(project_id, slug),
  })
  const reread = () => queries.invalidateQueries({ queryKey: ['trigger', project_id, slug] })
  const remove = useMutation({
    mutationFn: () => triggers.delete(project_id, slug),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['triggers', project_id] })
      await navigate({ to: '/projects/$project_id/triggers', params: { project_id } })
    },
  })
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
      actions={
        <>
          <FireNow project_id={project_id} slug={slug} onFired={reread} />
          <EnableButton project_id={project_id} trigger={trigger} />
          <button type="button" className="button small" onClick={() => setDialog('edit')}>
            <Pencil aria-hidden />
            Edit
          </button>
          <button type="button" className="button small danger" onClick={() => setDialog('delete')}>
            <Trash2 aria-hidden />
            Delete
          </button>
        </>
      }
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
    </Page>
  )
}
