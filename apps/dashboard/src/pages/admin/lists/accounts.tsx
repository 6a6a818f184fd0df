import { Moment } from '../../../parts/moment.tsx'
import { State } from '../../../parts/state.tsx'
import { AdminTable } from '../admin-table.tsx'
import { useAdmin } from '../use-admin.ts'

/** Every account by name, with its plan, its use and its limits. */
export function Accounts({ q }: { readonly q: string | undefined }) {
  const admin = useAdmin()
  return (
    <AdminTable
      caption="Accounts"
      empty="No account is like that"
      filter={q ?? ''}
      read={(cursor) =>
        admin.accounts({ ...(q === undefined ? {} : { q }), ...(cursor === undefined ? {} : { cursor }) })
      }
      keyOf={({ account_id }) => account_id}
      columns={[
        { name: 'Account', cell: ({ name }) => name },
        { name: 'Plan', cell: ({ tier }) => tier },
        {
          name: 'State',
          cell: ({ suspended_at }) => <State of={suspended_at === null ? 'active' : 'suspended'} />,
        },
        { name: 'People', cell: ({ members }) => members },
        { name: 'Projects', cell: ({ projects, limits }) => ofLimit(projects, limits.projects) },
        {
          name: 'Live sessions',
          cell: ({ live_sessions, limits }) => ofLimit(live_sessions, limits.live_sessions),
        },
        { name: 'Since', cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
      actions={[
        {
          label: 'Suspend',
          when: ({ suspended_at }) => suspended_at === null,
          asks: ({ name }) =>
            `${name} can read and do nothing else; its sandboxes are saved and stopped, and its triggers miss their fires.`,
          run: ({ account_id }) => admin.updateAccount(account_id, { suspended: true }),
        },
        {
          label: 'Unsuspend',
          when: ({ suspended_at }) => suspended_at !== null,
          run: ({ account_id }) => admin.updateAccount(account_id, { suspended: false }),
        },
      ]}
    />
  )
}

const ofLimit = (used: number, limit: number | null) =>
  limit === null ? String(used) : `${used} of ${limit}`
