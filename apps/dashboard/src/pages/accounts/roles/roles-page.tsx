import { counted } from '@svc/facts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { Role } from '@svc/sdk'
import { useState } from 'react'
import { Loaded } from '../../../parts/loaded.tsx'
import { Page } from '../../../parts/page.tsx'
import { RecordTable } from '../../../records/record-table.tsx'
import { RemoveButton } from '../../../records/remove-button.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { AccountTabs } from '../account-tabs.tsx'
import { rolesRoute } from '../route.tsx'
import { Assignments } from './assignments.tsx'
import { RoleDialog } from './role-dialog.tsx'

/** The roles that can be given on projects, and who has which. */
export function RolesPage() {
  const { account_id } = rolesRoute.useParams()
  const { roles } = useClient().accounts
  const queries = useQueryClient()
  const [editing, setEditing] = useState<Role | 'new' | null>(null)
  const list = useQuery({
    queryKey: ['account', account_id, 'roles'],
    queryFn: () => roles.list(account_id),
  })
  const reread = () => queries.invalidateQueries({ queryKey: ['account', account_id] })
  return (
    <Page
      title="Roles"
      narrow
      actions={
        <button type="button" className="button primary" onClick={() => setEditing('new')}>
          <Plus aria-hidden />
          New role
        </button>
      }
    >
      <AccountTabs account_id={account_id} />
      <p className="hint">A role of your own is a built-in one, and what it adds to that.</p>
      <Loaded query={list}>
        {(found) => (
          <>
            <RecordTable
              caption="Roles"
              empty="No role"
              rows={found}
              keyOf={({ role_id, name }) => role_id ?? name}
              nameOf={({ name }) => name}
              columns={[
                { name: 'Kind', cell: ({ built_in }) => (built_in ? 'built-in' : 'your own') },
                {
                  name: 'May',
                  cell: ({ built_in, base_role, capabilities }) =>
                    built_in
                      ? counted(capabilities.length, 'capability', 'capabilities')
                      : `${base_role}, and ${capabilities.length} more`,
                },
              ]}
              actions={(role) =>
                role.role_id !== null && (
                  <>
                    <button
                      type="button"
                      className="button small"
                      aria-label={`Edit ${role.name}`}
                      onClick={() => setEditing(role)}
                    >
                      Edit
                    </button>
                    <RemoveButton
                      verb="Delete"
                      of={role.name}
                      said={`The role ${role.name} is deleted.`}
                      run={() => roles.delete(account_id, role.role_id ?? '')}
                      onDone={reread}
                    >
                      Who has it keeps its base role, {role.base_role}.
                    </RemoveButton>
                  </>
                )
              }
            />
            {editing !== null && (
              <RoleDialog
                account_id={account_id}
                role={editing === 'new' ? null : editing}
                known={found}
                onClose={() => setEditing(null)}
                onSaved={reread}
              />
            )}
          </>
        )}
      </Loaded>
      <Assignments account_id={account_id} />
    </Page>
  )
}
