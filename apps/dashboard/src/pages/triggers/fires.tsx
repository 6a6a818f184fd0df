import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { MoreButton, pageOf, usePages } from '../../parts/pages.tsx'
import { RefusalLink } from '../../parts/refusals/refusal-link.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { Outcome } from './fire-now.tsx'

interface Props {
  readonly project_id: string
  readonly slug: string
}

/** The ledger: each occurrence with what became of it. */
export function Fires({ project_id, slug }: Props) {
  const { triggers } = useClient().projects
  const queries = useQueryClient()
  const pages = usePages({
    key: ['trigger', project_id, slug, 'fires'],
    read: (cursor) => triggers.fires(project_id, slug, pageOf(cursor)),
    follow: { idOf: ({ fire_id }) => fire_id },
  })
  const replay = useMutation({
    mutationFn: (fire_id: string) => triggers.replay(project_id, slug, fire_id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['trigger', project_id, slug] }),
  })
  return (
    <div className="grid gap-3">
      <Failure error={replay.error} />
      <div role="status">
        {replay.data !== undefined && <Outcome project_id={project_id} answer={replay.data} />}
      </div>
      <Loaded query={pages}>
        {({ pages: read }) => {
          const fires = read.flatMap(({ items }) => items)
          if (fires.length === 0) return <Empty title="It has not fired yet" />
          return (
            <DataTable caption="Fires" columns={['When', 'Outcome', 'Reason', 'Session', 'Again']}>
              {fires.map(({ fire_id, scheduled_at, status, reason, code, session_id, type }) => (
                <tr key={fire_id}>
                  <th scope="row">
                    <Moment at={scheduled_at} /> <span className="faint">{type}</span>
                  </th>
                  <td>
                    <State of={status} />
                  </td>
                  <td>
                    {reason ?? ''} <RefusalLink project_id={project_id} code={code} />
                  </td>
                  <td>
                    {session_id !== null && (
                      <Link
                        to="/projects/$project_id/sessions/$session_id"
                        params={{ project_id, session_id }}
                      >
                        {session_id.slice(0, 8)}
                      </Link>
                    )}
                  </td>
                  <td>
                    <GuardedButton
                      needs="project.trigger.fire"
                      className="button small"
                      disabled={replay.isPending}
                      onClick={() => replay.mutate(fire_id)}
                    >
                      Replay
                    </GuardedButton>
                  </td>
                </tr>
              ))}
            </DataTable>
          )
        }}
      </Loaded>
      <MoreButton pages={pages} />
    </div>
  )
}
