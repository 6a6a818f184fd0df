import type { ConnectorCall } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Area } from '../../parts/field.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { connectorCallRoute } from './route.tsx'

/** One call of a connector as the ledger has it; where its end was not seen, with the form that settles it. */
export function SettlePage() {
  const { project_id, call_id } = connectorCallRoute.useParams()
  const { connectorCalls } = useClient().projects
  const query = useQuery({
    queryKey: ['connector-call', project_id, call_id],
    queryFn: () => connectorCalls.get(project_id, call_id),
  })
  const call = query.data?.call
  return (
    <Page
      title={call === undefined ? 'Connector call' : `${call.connector}.${call.action}`}
      beside={call && <State of={call.status} />}
      up={{ to: '/', label: 'Needs you' }}
      narrow
    >
      <Loaded query={query}>
        {({ call: found }) => (
          <>
            <p className="faint">
              Asked <Moment at={found.created_at} />
              {found.sent_at !== null && (
                <>
                  {', sent '}
                  <Moment at={found.sent_at} />
                </>
              )}
              {found.reason !== null && ` · ${found.reason.replaceAll('_', ' ')}`}
            </p>
            {found.status === 'unknown' && <SettleForm call={found} project_id={project_id} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function SettleForm({ call, project_id }: { readonly call: ConnectorCall; readonly project_id: string }) {
  const { call_id } = call
  const { connectorCalls } = useClient().projects
  const queries = useQueryClient()
  const [note, setNote] = useState('')
  const settle = useMutation({
    mutationFn: (outcome: 'happened' | 'did_not_happen') =>
      connectorCalls.settle(project_id, call_id, { outcome, ...(note.trim() !== '' && { note }) }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['connector-call', project_id, call_id] }),
        queries.invalidateQueries({ queryKey: ['inbox'] }),
      ]),
  })
  const button = (label: string, outcome: 'happened' | 'did_not_happen') => (
    <GuardedButton
      needs="project.review.act"
      className="button"
      disabled={settle.isPending}
      onClick={() => settle.mutate(outcome)}
    >
      {label}
    </GuardedButton>
  )
  return (
    <section className="card grid gap-3 p-3" aria-label="Settle">
      <p>
        The request left, and its answer was not seen: it may have happened. Look in the other service, then
        say what you found. The session hears of it.
      </p>
      <Area label="Note" rows={2} value={note} onChange={setNote} hint="For the agent, and for the ledger." />
      <Failure error={settle.error} />
      <div className="flex flex-wrap gap-2">
        {button('It happened', 'happened')}
        {button('It did not happen', 'did_not_happen')}
      </div>
    </section>
  )
}
