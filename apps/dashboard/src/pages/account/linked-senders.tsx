import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMe } from '../../frame/use-me.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { RecordTable } from '../../records/record-table.tsx'
import { RemoveButton } from '../../records/remove-button.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { platformNames } from '../channels/channel-words.ts'

/** The senders of chats that act as the person. */
export function LinkedSenders() {
  const { channelLinks } = useClient()
  const { data: me } = useMe()
  const queries = useQueryClient()
  const list = useQuery({ queryKey: ['channel-links'], queryFn: () => channelLinks.list() })
  return (
    <>
      <p className="hint">
        What they write to agents is done in your name. Unlink one that is not you: it can be linked anew by a
        message to the bot.
      </p>
      <Loaded query={list}>
        {(found) => (
          <RecordTable
            caption="Linked senders"
            empty="No sender acts as you"
            rows={found}
            keyOf={({ link_id }) => link_id}
            nameOf={({ display }) => display}
            noteOf={({ external_user }) => external_user}
            columns={[
              {
                name: 'Place',
                cell: ({ platform, tenant }) => `${platformNames[platform]}, ${tenant}`,
              },
              {
                name: 'Account',
                cell: ({ account_id }) =>
                  me?.accounts.find((one) => one.account_id === account_id)?.name ?? 'another',
              },
              { name: 'Linked', cell: ({ created_at }) => <Moment at={created_at} /> },
              { name: 'Last used', cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
            ]}
            actions={({ link_id, display }) => (
              <RemoveButton
                verb="Unlink"
                of={display}
                said={`${display} acts as you no more.`}
                run={() => channelLinks.unlink(link_id)}
                onDone={() => queries.invalidateQueries({ queryKey: ['channel-links'] })}
              >
                What they write from now on is not done in your name. Sessions that run stay.
              </RemoveButton>
            )}
          />
        )}
      </Loaded>
    </>
  )
}
