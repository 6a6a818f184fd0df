import { Link } from '@tanstack/react-router'
import { usePeople } from '../../frame/use-people.ts'
import { useProject } from '../../frame/use-project.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { MoreButton, pageOf, usePages } from '../../parts/pages.tsx'
import { RecordTable } from '../../records/record-table.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

/** The sessions that were given secrets, and which: one row for each sandbox that was made with any. */
export function SecretReads({ project_id }: { readonly project_id: string }) {
  const { secrets } = useClient().projects
  const nameOf = usePeople(useProject(project_id).data?.account_id ?? '')
  const pages = usePages({
    key: ['secret-reads', project_id],
    read: (cursor) => secrets.accesses(project_id, pageOf(cursor)),
  })
  return (
    <>
      <p className="hint">Which session was given which names, each time that its sandbox was made.</p>
      <Loaded query={pages}>
        {({ pages: read }) => (
          <RecordTable
            caption="Reads"
            empty="No session was given a secret yet"
            rows={read.flatMap(({ items }) => items)}
            keyOf={({ access_id }) => access_id}
            nameOf={({ names, personal_names }) => [...names, ...personal_names].join(', ')}
            columns={[
              { name: 'When', cell: ({ at }) => <Moment at={at} /> },
              {
                name: 'Session',
                cell: ({ session_id, agent_name }) => (
                  <Link
                    to="/projects/$project_id/sessions/$session_id"
                    params={{ project_id, session_id }}
                    aria-label={`Session ${session_id.slice(0, 8)} of ${agent_name}`}
                  >
                    {agent_name} <code className="text-12">{session_id.slice(0, 8)}</code>
                  </Link>
                ),
              },
              { name: 'Of', cell: ({ user_id }) => nameOf(user_id) },
            ]}
          />
        )}
      </Loaded>
      <MoreButton pages={pages} />
    </>
  )
}
