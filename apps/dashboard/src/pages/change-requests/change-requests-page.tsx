import { Link, useNavigate } from '@tanstack/react-router'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { MoreButton, usePages } from '../../parts/pages.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { changeRequestsRoute, crStatuses } from './route.tsx'

const names = { open: 'Open', merged: 'Merged', closed: 'Closed', all: 'All' } as const

/** The change requests of a project, the newest first. */
export function ChangeRequestsPage() {
  const { project_id } = changeRequestsRoute.useParams()
  const { status = 'open' } = changeRequestsRoute.useSearch()
  const navigate = useNavigate({ from: changeRequestsRoute.fullPath })
  const client = useClient()
  const pages = usePages({
    key: ['change-requests', project_id, status],
    read: (cursor) => client.projects.changeRequests.list(project_id, { status, limit: 50, cursor }),
    follow: {
      idOf: ({ cr_id }) => cr_id,
      read: async (cr_id) => {
        const row = await client.projects.changeRequests.get(project_id, cr_id)
        return status === 'all' || row.status === status ? row : null
      },
      isBefore: (row, other) => row.number > other.number,
    },
  })
  return (
    <Page title="Change requests">
      <div className="flex">
        <Select
          inline
          label="Status"
          value={status}
          onChange={(value) =>
            void navigate({ search: { status: crStatuses.find((one) => one === value) }, replace: true })
          }
          options={crStatuses.map((one) => [one, names[one]] as const)}
        />
      </div>
      <Loaded query={pages}>
        {({ pages: read }) => {
          const found = read.flatMap(({ items }) => items)
          if (found.length === 0)
            return (
              <Empty title={status === 'all' ? 'No change request yet' : `No change request is ${status}`}>
                <p className="hint">
                  An agent opens one when its work is ready; <code>svc cr open</code> does it for a branch of
                  yours.
                </p>
              </Empty>
            )
          return (
            <ul className="rows">
              {found.map(
                ({
                  cr_id,
                  number,
                  title,
                  head_ref,
                  base_ref,
                  status: state,
                  updated_at,
                  origin_session_id,
                }) => (
                  <li key={cr_id} className="row">
                    <State of={state} />
                    <div className="min-w-0 flex-1">
                      <Link
                        to="/projects/$project_id/change-requests/$number"
                        params={{ project_id, number: String(number) }}
                        className="row-link"
                        dir="auto"
                      >
                        {title}
                      </Link>
                      <p className="faint truncate">
                        #{number} · {refName(head_ref)} → {base_ref}
                        {origin_session_id !== null && ' · by an agent'}
                      </p>
                    </div>
                    <span className="faint">
                      <Moment at={updated_at} />
                    </span>
                  </li>
                ),
              )}
            </ul>
          )
        }}
      </Loaded>
      <MoreButton pages={pages} />
    </Page>
  )
}

const session = /^[0-9a-f]{8}-[0-9a-f]{4}-4/

/** A branch of a session is named by its id, of which the beginning is enough. */
export function refName(ref: string): string {
  return session.test(ref) ? ref.slice(0, 8) : ref
}
