import { Moment } from '../../../parts/moment.tsx'
import { AdminTable } from '../admin-table.tsx'
import { useAdmin } from '../use-admin.ts'

/** Jobs that failed, the newest first. */
export function Failures() {
  const admin = useAdmin()
  return (
    <AdminTable
      caption="Failures"
      empty="No job has failed"
      read={(cursor) => admin.failures({ ...(cursor === undefined ? {} : { cursor }) })}
      keyOf={({ failure_id }) => failure_id}
      columns={[
        { name: 'Job', cell: ({ job }) => job },
        { name: 'Failed', cell: ({ failed_at }) => <Moment at={failed_at} /> },
        { name: 'Attempts', cell: ({ attempts }) => attempts },
        { name: 'Error', cell: ({ error }) => error },
        { name: 'Request', cell: ({ request_id }) => request_id ?? '–' },
        { name: 'Resolved', cell: ({ resolved_at }) => <Moment at={resolved_at} /> },
      ]}
      actions={[
        {
          label: 'Retry',
          when: ({ resolved_at }) => resolved_at === null,
          run: ({ failure_id }) => admin.retryFailure(failure_id),
        },
      ]}
    />
  )
}
