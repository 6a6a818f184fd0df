import { Moment } from '../../../parts/moment.tsx'
import { State } from '../../../parts/state.tsx'
import { AdminTable } from '../admin-table.tsx'
import { Id } from '../cells.tsx'
import { useAdmin } from '../use-admin.ts'

/** Sandboxes of every account; the last used come first. */
export function Sandboxes() {
  const admin = useAdmin()
  return (
    <AdminTable
      caption="Sandboxes"
      empty="No sandbox"
      read={(cursor) => admin.sandboxes({ ...(cursor === undefined ? {} : { cursor }) })}
      keyOf={({ session_id }) => session_id}
      columns={[
        { name: 'Session', cell: ({ session_id }) => <Id of={session_id} /> },
        { name: 'Status', cell: ({ status }) => <State of={status} /> },
        { name: 'Machine', cell: ({ machine, provider }) => `${machine ?? '–'} ${provider ?? ''}` },
        { name: 'Account', cell: ({ account_id }) => <Id of={account_id} /> },
        { name: 'Used', cell: ({ last_active_at }) => <Moment at={last_active_at} /> },
        { name: 'Busy until', cell: ({ lease_expires_at }) => <Moment at={lease_expires_at} /> },
      ]}
      actions={[
        {
          label: 'Stop',
          when: ({ status }) => status === 'active',
          asks: () =>
            'Its work is saved, and its files are kept. The session says that an operator stopped it.',
          run: ({ session_id }) => admin.stopSandbox(session_id),
        },
      ]}
    />
  )
}
