import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Select } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { accountMembersRoute } from './route.tsx'

const roles = ['owner', 'admin', 'member'] as const

/** The people of an account, and those who are asked to join. */
export function AccountMembersPage() {
  const { account_id } = accountMembersRoute.useParams()
  const { accounts } = useClient()
  const queries = useQueryClient()
  const [inviting, setInviting] = useState(false)
  const members = useQuery({
    queryKey: ['account', account_id, 'members'],
    queryFn: () => accounts.members.list(account_id),
  })
  const invitations = useQuery({
    queryKey: ['account', account_id, 'invitations'],
    queryFn: () => accounts.invitations.list(account_id),
  })
  const reread = () => queries.invalidateQueries({ queryKey: ['account', account_id] })
  const set = useMutation({
    mutationFn: ({ user_id, role }: { readonly user_id: string; readonly role: (typeof roles)[number] }) =>
      accounts.members.update(account_id, user_id, { role }),
    onSettled: reread,
  })
  const revoke = useMutation({
    mutationFn: (invitation_id: string) => accounts.invitations.revoke(account_id, invitation_id),
    onSettled: reread,
  })
  return (
    <Page
      title="Members"
      narrow
      actions={
        <button type="button" className="button primary" onClick={() => setInviting(true)}>
          <UserPlus aria-hidden />
          Invite
        </button>
      }
    >
      <AccountTabs account_id={account_id} />
      <Failure error={set.error ?? revoke.error} />
      <Loaded query={members}>
        {(found) => (
          <DataTable caption="Members" columns={['Name', 'Since', 'Role']}>
            {found.map(({ user_id, name, email, role, created_at }) => (
              <tr key={user_id}>
                <th scope="row" dir="auto">
                  {name === '' ? email : name} {name !== '' && <span className="faint">{email}</span>}
                </th>
                <td>
                  <Moment at={created_at} />
                </td>
                <td>
                  <Select
                    inline
                    label={`Role of ${email}`}
                    value={role}
                    onChange={(next) => {
                      const chosen = roles.find((one) => one === next)
                      if (chosen !== undefined) set.mutate({ user_id, role: chosen })
                    }}
                    options={roles.map((one) => [one, one] as const)}
                  />
                </td>
              </tr>
            ))}
          </DataTable>
        )}
      </Loaded>
      <Loaded query={invitations}>
        {(found) =>
          found.length > 0 && (
            <section className="grid gap-2">
              <h2>Invitations</h2>
              <ul className="rows">
                {found.map(({ invitation_id, email, role, expires_at }) => (
                  <li key={invitation_id} className="row">
                    <span className="min-w-0 flex-1">
                      {email} <span className="faint">as {role}</span>
                    </span>
                    <span className="faint">
                      ends <Moment at={expires_at} />
                    </span>
                    <button
                      type="button"
                      className="button small danger"
                      onClick={() => revoke.mutate(invitation_id)}
                    >
                      Revoke
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )
        }
      </Loaded>
      {inviting && (
        <InviteDialog account_id={account_id} onClose={() => setInviting(false)} onMade={reread} />
      )}
    </Page>
  )
}
