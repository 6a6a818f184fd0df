import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { RecordTable } from '../../records/record-table.tsx'
import { RemoveButton } from '../../records/remove-button.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

interface Props {
  readonly account_id: string
  readonly onChange: () => Promise<unknown>
}

/** Those who are asked to join and have not; an invitation that is withdrawn opens nothing. */
export function InvitationList({ account_id, onChange }: Props) {
  const { invitations } = useClient().accounts
  const list = useQuery({
    queryKey: ['account', account_id, 'invitations'],
    queryFn: () => invitations.list(account_id),
  })
  return (
    <section className="grid gap-2">
      <h2>Invitations</h2>
      <Loaded query={list}>
        {(found) => (
          <RecordTable
            caption="Invitations"
            empty="No invitation is open"
            rows={found}
            keyOf={({ invitation_id }) => invitation_id}
            nameOf={({ email }) => email}
            columns={[
              { name: 'Role', cell: ({ role }) => role },
              { name: 'Ends', cell: ({ expires_at }) => <Moment at={expires_at} /> },
            ]}
            actions={({ invitation_id, email }) => (
              <RemoveButton
                verb="Withdraw"
                of={`the invitation of ${email}`}
                said="The invitation is withdrawn."
                run={() => invitations.revoke(account_id, invitation_id)}
                onDone={onChange}
              >
                Its token opens nothing from then on. You can invite them again.
              </RemoveButton>
            )}
          />
        )}
      </Loaded>
    </section>
  )
}
