import { State } from '../../../parts/state.tsx'
import { whole } from '../../../parts/action-table.tsx'
import { AdminTable } from '../admin-table.tsx'
import { useAdmin } from '../use-admin.ts'

/** Features of the platform, closed or opened for every project. */
export function Features() {
  const admin = useAdmin()
  return (
    <AdminTable
      caption="Features"
      empty="No feature"
      read={() => whole(admin.features())}
      keyOf={({ feature }) => feature}
      columns={[
        { name: 'Feature', cell: ({ feature }) => feature },
        { name: 'Available', cell: ({ available }) => <State of={available ? 'open' : 'closed'} /> },
        { name: 'Default', cell: (row) => (row.default ? 'on' : 'off') },
        { name: 'Changed by', cell: ({ operator_only }) => (operator_only ? 'operators' : 'projects') },
      ]}
      actions={[
        {
          label: 'Close for all',
          when: ({ available }) => available,
          asks: ({ feature }) => `Every project is refused ${feature}, whatever it decided.`,
          run: ({ feature }) => admin.setFeatures({ [feature]: { available: false } }),
        },
        {
          label: 'Open',
          when: ({ available }) => !available,
          run: ({ feature }) => admin.setFeatures({ [feature]: { available: true } }),
        },
        {
          label: 'On by default',
          when: (row) => !row.default,
          run: ({ feature }) => admin.setFeatures({ [feature]: { default: true } }),
        },
        {
          label: 'Off by default',
          when: (row) => row.default,
          run: ({ feature }) => admin.setFeatures({ [feature]: { default: false } }),
        },
      ]}
    />
  )
}
