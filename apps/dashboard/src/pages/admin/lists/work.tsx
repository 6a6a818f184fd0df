import { Moment } from '../../../parts/moment.tsx'
import { AdminTable } from '../admin-table.tsx'
import { Id } from '../cells.tsx'
import { useAdmin } from '../use-admin.ts'

/** Rows that owe work; those that wait longest come first. */
export function Work() {
  const admin = useAdmin()
  return (
    <AdminTable
      caption="Work that is owed"
      empty="No row owes work"
      read={(cursor) => admin.work({ ...(cursor === undefined ? {} : { cursor }) })}
      keyOf={({ work_id }) => work_id}
      columns={[
        { name: 'Work', cell: ({ kind }) => kind },
        { name: 'Since', cell: ({ since }) => <Moment at={since} /> },
        { name: 'Session', cell: ({ session_id }) => <Id of={session_id} /> },
        { name: 'Project', cell: ({ project_id }) => <Id of={project_id} /> },
        { name: 'Attempts', cell: ({ attempts }) => attempts },
        { name: 'Last error', cell: ({ last_error }) => last_error ?? '–' },
        { name: 'Worker', cell: ({ claimed_by }) => claimed_by ?? 'none' },
      ]}
      actions={[{ label: 'Run now', run: ({ work_id }) => admin.runWork(work_id) }]}
    />
  )
}
