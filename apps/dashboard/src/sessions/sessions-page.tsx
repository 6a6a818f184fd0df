import type { Project } from '@svc/sdk'
import { Link } from 'wouter'
import { NewSessionForm } from '../new-session/new-session-form.tsx'
import { Badge } from '../parts/badge.tsx'
import { Empty } from '../parts/empty.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { MoreButton, usePages } from '../parts/pages.tsx'
import { Table } from '../parts/table.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import { sessionName } from './session-name.ts'

const columns = ['Session', 'Status', 'Agent', 'Stop reason', 'Started by', 'Created']

export function SessionsPage({ project }: { readonly project: Project }) {
  const { project_id } = project
  const client = useClient()
  const pages = usePages({
    key: ['sessions', project_id],
    read: (cursor) => client.projects.sessions.list(project_id, { limit: 25, cursor }),
    refresh_ms: 5_000,
  })
  return (
    <>
      <PageTitle text="Sessions" />
      <details className="card">
        <summary>New session</summary>
        <NewSessionForm project={project} />
      </details>
      <Loaded query={pages}>
        {({ pages: [first, ...more] }) =>
          first === undefined || first.items.length === 0 ? (
            <Empty title="No session yet">
              <p>
                Start one above, or fire a <Link href="/triggers">trigger</Link>.
              </p>
            </Empty>
          ) : (
            <Table caption="Sessions, newest first" columns={columns}>
              {[first, ...more].flatMap(({ items }) =>
                items.map((session) => (
                  <tr key={session.session_id}>
                    <th scope="row">
                      <Link href={`/sessions/${session.session_id}`}>{sessionName(session)}</Link>
                    </th>
                    <td>
                      <Badge status={session.status} />
                    </td>
                    <td>{session.agent_name}</td>
                    <td>{session.failure?.message ?? session.stop_reason ?? '–'}</td>
                    <td>{session.origin}</td>
                    <td>
                      <Moment at={session.created_at} />
                    </td>
                  </tr>
                )),
              )}
            </Table>
          )
        }
      </Loaded>
      <MoreButton pages={pages} />
    </>
  )
}
