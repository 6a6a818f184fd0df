import { Moment } from '../../../parts/moment.tsx'
import { State } from '../../../parts/state.tsx'
import { whole } from '../../../parts/action-table.tsx'
import { AdminTable } from '../admin-table.tsx'
import { useAdmin } from '../use-admin.ts'

/** Machines that sandboxes run on. */
export function Machines() {
  const admin = useAdmin()
  return (
    <AdminTable
      caption="Machines"
      empty="No machine has workers"
      read={() => whole(admin.machines())}
      keyOf={({ machine }) => machine}
      columns={[
        { name: 'Machine', cell: ({ machine }) => machine },
        { name: 'State', cell: ({ state }) => <State of={state} /> },
        { name: 'Provider', cell: ({ provider }) => provider },
        {
          name: 'Sandboxes',
          cell: ({ sandboxes: { active, stopped } }) => `${active} active, ${stopped} stopped`,
        },
        { name: 'Seen', cell: ({ seen_at }) => <Moment at={seen_at} /> },
      ]}
      actions={[
        {
          label: 'Drain',
          when: ({ state }) => state === 'open',
          asks: ({ machine }) =>
            `Idle sandboxes of ${machine} are saved and stopped at once, busy ones after their turn. It takes no new session until it is opened.`,
          run: ({ machine }) => admin.drainMachine(machine),
        },
        {
          label: 'Open',
          when: ({ state }) => state !== 'open',
          run: ({ machine }) => admin.resumeMachine(machine),
        },
      ]}
    />
  )
}
