import { Moment } from '../../../parts/moment.tsx'
import { State } from '../../../parts/state.tsx'
import { AdminTable } from '../admin-table.tsx'
import { Id } from '../cells.tsx'
import { useAdmin } from '../use-admin.ts'

/** Sessions of every account without their content, the newest first. */
export function Sessions({ q }: { readonly q: string | undefined }) {
  const admin = useAdmin()
  return (
    <AdminTable
      caption="Sessions"
      empty="No session is like that"
      filter={q ?? ''}
      read={(cursor) =>
        admin.sessions({ ...(q === undefined ? {} : { q }), ...(cursor === undefined ? {} : { cursor }) })
      }
      keyOf={({ session_id }) => session_id}
      columns={[
        { name: 'Session', cell: ({ session_id, name }) => name ?? <Id of={session_id} /> },
        { name: 'Status', cell: ({ status }) => <State of={status} /> },
        { name: 'Account', cell: ({ account_name }) => account_name },
        { name: 'Project', cell: ({ project_slug }) => project_slug },
        { name: 'Agent', cell: ({ agent_name }) => agent_name },
        { name: 'Created', cell: ({ created_at }) => <Moment at={created_at} /> },
        { name: 'Failure', cell: ({ failure }) => failure?.message ?? '–' },
      ]}
      actions={[
        {
          label: 'Check',
          when: ({ status }) => status === 'running',
          run: ({ session_id }) => admin.rerunSession(session_id, 'check'),
        },
        {
          label: 'Provision',
          when: ({ status }) => status === 'provisioning',
          run: ({ session_id }) => admin.rerunSession(session_id, 'provision'),
        },
      ]}
    />
  )
}
