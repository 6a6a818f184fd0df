import { useId } from 'react'
import { Link, useSearchParams } from 'wouter'
import { Badge } from '../parts/badge.tsx'
import { Empty } from '../parts/empty.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { MoreButton, usePages } from '../parts/pages.tsx'
import { Table } from '../parts/table.tsx'
import { useClient } from '../sign-in/signed-in.tsx'

const statuses = ['open', 'merged', 'closed', 'all'] as const

/** The status is in the address, so that going back shows the same list. */
export function ChangeRequestsPage({ project_id }: { readonly project_id: string }) {
  const client = useClient()
  const field = useId()
  const [search, setSearch] = useSearchParams()
  const status = statuses.find((one) => one === search.get('status')) ?? 'open'
  const pages = usePages({
    key: ['change-requests', project_id, status],
    read: (cursor) => client.projects.changeRequests.list(project_id, { status, limit: 25, cursor }),
    refresh_ms: 10_000,
  })
  return (
    <>
      <PageTitle text="Change requests" />
      <p>
        <label htmlFor={field}>Status</label>{' '}
        <select id={field} value={status} onChange={({ target }) => setSearch({ status: target.value })}>
          {statuses.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </p>
      <Loaded query={pages}>
        {({ pages: all }) => {
          const items = all.flatMap((page) => page.items)
          if (items.length === 0) {
            return (
              <Empty title={status === 'all' ? 'No change request yet' : `No ${status} change request`}>
                <p>
                  Agents open them from their sessions; <code>svc cr open</code> opens one from a branch.
                </p>
              </Empty>
            )
          }
          return (
            <Table
              caption="Change requests, newest first"
              columns={['#', 'Title', 'Status', 'Branches', 'Opened']}
            >
              {items.map((cr) => (
                <tr key={cr.cr_id}>
                  <td>{cr.number}</td>
                  <th scope="row">
                    <Link href={`/change-requests/${cr.number}`}>{cr.title}</Link>
                  </th>
                  <td>
                    <Badge status={cr.status} />
                  </td>
                  <td>
                    <code>{cr.head_ref}</code> → <code>{cr.base_ref}</code>
                  </td>
                  <td>
                    <Moment at={cr.created_at} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }}
      </Loaded>
      <MoreButton pages={pages} />
    </>
  )
}
