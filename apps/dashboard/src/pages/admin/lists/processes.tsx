import { Moment } from '../../../parts/moment.tsx'
import { State } from '../../../parts/state.tsx'
import { whole } from '../../../parts/action-table.tsx'
import { AdminTable } from '../admin-table.tsx'
import { useAdmin } from '../use-admin.ts'

/** Processes of the platform by service and age. */
export function Processes() {
  const admin = useAdmin()
  return (
    <AdminTable
      caption="Processes"
      empty="No process beats"
      read={() => whole(admin.processes())}
      keyOf={({ process_id }) => process_id}
      columns={[
        { name: 'Service', cell: ({ service }) => service },
        {
          name: 'State',
          cell: ({ state, drain_reason }) => <State of={state} word={drain_reason ?? state} />,
        },
        { name: 'Machine', cell: ({ machine, pid }) => `${machine} ${pid}` },
        { name: 'Version', cell: ({ version, commit }) => `${version} ${commit.slice(0, 8)}` },
        { name: 'Started', cell: ({ started_at }) => <Moment at={started_at} /> },
        { name: 'Seen', cell: ({ beat_at }) => <Moment at={beat_at} /> },
      ]}
      actions={[
        {
          label: 'Drain',
          when: ({ state }) => state === 'running',
          asks: ({ service, machine }) =>
            `${service} on ${machine} finishes what it has and takes nothing new until it is resumed.`,
          run: ({ process_id }) => admin.drainProcess(process_id),
        },
        {
          label: 'Resume',
          when: ({ state }) => state === 'draining',
          run: ({ process_id }) => admin.resumeProcess(process_id),
        },
      ]}
    />
  )
}
