import { Moment } from '../../../parts/moment.tsx'
import { State } from '../../../parts/state.tsx'
import { AdminTable } from '../admin-table.tsx'
import { Id } from '../cells.tsx'
import { useAdmin } from '../use-admin.ts'

/** Changes by platform admins, the newest first. */
export function Audit() {
  const admin = useAdmin()
  return (
    <AdminTable
      caption="Audit events"
      empty="No platform admin has changed anything"
      read={(cursor) => admin.audit({ ...(cursor === undefined ? {} : { cursor }) })}
      keyOf={({ event_id }) => event_id}
      columns={[
        { name: 'Action', cell: ({ action }) => action },
        { name: 'When', cell: ({ at }) => <Moment at={at} /> },
        { name: 'Actor', cell: ({ actor }) => <Id of={actor.id} /> },
        { name: 'Target', cell: ({ target }) => target },
        { name: 'Outcome', cell: ({ outcome }) => <State of={outcome} /> },
      ]}
    />
  )
}
