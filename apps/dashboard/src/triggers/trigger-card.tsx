import type { Trigger } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { Badge } from '../parts/badge.tsx'
import { Failure } from '../parts/failure.tsx'
import { Moment } from '../parts/moment.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import { FireForm } from './fire-form.tsx'
import { scheduleText } from './schedule-text.ts'

interface Props {
  readonly project_id: string
  readonly trigger: Trigger
}

export function TriggerCard({ project_id, trigger }: Props) {
  const client = useClient()
  const queries = useQueryClient()
  const heading = useId()
  const { slug, name, enabled } = trigger
  const reread = () => queries.invalidateQueries({ queryKey: ['triggers', project_id] })
  const toggle = useMutation({
    mutationFn: () => client.projects.triggers.update(project_id, slug, { enabled: !enabled }),
    onSettled: reread,
  })
  return (
    <section className="card" aria-labelledby={heading}>
      <h2 id={heading}>
        {name} {name !== slug && <code>{slug}</code>}
      </h2>
      <dl className="facts">
        <dt>Type</dt>
        <dd>{trigger.type}</dd>
        <dt>Fires</dt>
        <dd>{scheduleText(trigger)}</dd>
        <dt>Next</dt>
        <dd>
          <Moment at={trigger.next_fire_at} />
        </dd>
        <dt>Last</dt>
        <dd>
          {trigger.last_status !== null && <Badge status={trigger.last_status} />}{' '}
          <Moment at={trigger.last_attempt_at ?? trigger.last_fired_at} /> {trigger.last_error}
        </dd>
        <dt>Enabled</dt>
        <dd>
          {enabled ? 'yes' : 'no'}{' '}
          <button type="button" className="quiet" disabled={toggle.isPending} onClick={() => toggle.mutate()}>
            {enabled ? 'Disable' : 'Enable'}
          </button>{' '}
          <span className="hint">commits to svc.yaml on the default branch</span>
        </dd>
      </dl>
      <Failure error={toggle.error} />
      <FireForm project_id={project_id} slug={slug} onFired={reread} />
    </section>
  )
}
