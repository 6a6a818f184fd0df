import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../frame/use-me.ts'
import { Failure } from '../../parts/failure.tsx'
import { Select } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordTable } from '../../records/record-table.tsx'
import { RemoveButton } from '../../records/remove-button.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { accountMembersRoute } from './route.tsx'

const roles = ['owner', 'admin', 'member'] as const

/** The people of an account, and those who are asked to join. */
export function AccountMembersPage() {
  const { account_id } = accountMembersRoute.useParams()
  const { members } = useClient().accounts
  const { data: me } = useMe()
  const queries = useQueryClient()
  const [inviting, setInviting] = useState(false)
  const list = useQuery({
    queryKey: ['account', account_id, 'members'],
    queryFn: () => members.list(account_id),
  })
  const reread = () => queries.invalidateQueries({ queryKey: ['account', account_id] })
  const set = useMutation({
    mutationFn: ({ user_id, role }: { readonly user_id: string; readonly role: (typeof roles)[number] }) =>
      members.update(account_id, user_id, { role }),
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
      <Failure error={set.error} />
      <Loaded query={list}>
        {(found) => (
          <RecordTable
            caption="Members"
            empty="No member"
            rows={found}
            keyOf={({ user_id }) => user_id}
            nameOf={({ name, email }) => (name === '' ? email : name)}
            noteOf={({ name, email }) => (name === '' ? null : email)}
            columns={[
              { name: 'Since', cell: ({ created_at }) => <Moment at={created_at} /> },
              {
                name: 'Role',
                cell: ({ user_id, email, role }) => (
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
                ),
              },
            ]}
            actions={({ user_id, name, email }) => {
              const own = user_id === me?.user_id
              return (
                <RemoveButton
                  verb={own ? 'Leave' : 'Remove'}
                  of={own ? 'the account' : name === '' ? email : name}
                  said={own ? 'You left the account.' : `${email} is no member any more.`}
                  run={() => members.remove(account_id, user_id)}
                  onDone={own ? () => queries.invalidateQueries() : reread}
                >
                  {own ? 'Your roles and your' : 'Their roles and'} credentials on its projects end at once.
                </RemoveButton>
              )
            }}
          />
        )}
      </Loaded>
      <InvitationList account_id={account_id} onChange={reread} />
      {inviting && (
        <InviteDialog account_id={account_id} onClose={() => setInviting(false)} onMade={reread} />
      )}
    </Page>
  )
}
