import { messageStates } from '@svc/channel/states'
import type { ChannelMessage } from '@svc/sdk'
import { useState } from 'react'
import { oneOf } from '../../../frame/search.ts'
import { ActionTable } from '../../../parts/action-table.tsx'
import { Select } from '../../../parts/field.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { pageOf } from '../../../parts/pages.tsx'
import { State } from '../../../parts/state.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { Files } from './files.tsx'
import type { PartProps } from './threads.tsx'

const refreshMs = 5_000
const moving: readonly ChannelMessage['state'][] = ['pending', 'sending']

/** The messages that a channel sent or has to send, without their texts. */
export function Sent({ project_id, slug }: PartProps) {
  const { channels } = useClient().projects
  const [state, setState] = useState<ChannelMessage['state']>()
  return (
    <>
      <div className="flex">
        <Select
          inline
          label="State"
          value={state ?? ''}
          onChange={(next) => setState(oneOf(messageStates, next))}
          options={[['', 'All states'], ...messageStates.map((one) => [one, one] as const)]}
        />
      </div>
      <ActionTable<ChannelMessage>
        caption="Sent"
        empty={state === undefined ? 'Nothing was sent yet' : 'None is in this state'}
        queryKey={['channels', project_id, slug, 'messages']}
        filter={state ?? ''}
        read={async (cursor) => {
          const query = { ...pageOf(cursor), ...(state === undefined ? {} : { state }) }
          const { messages, next_cursor } = await channels.messages(project_id, slug, query)
          return { items: messages, next_cursor }
        }}
        keyOf={({ message_id }) => message_id}
        isLog={state === undefined}
        columns={[
          {
            name: 'Message',
            cell: ({ kind, revision, files }) => (
              <>
                {revision > 1 ? `${kind}, edited` : kind} <Files files={files} />
              </>
            ),
          },
          {
            name: 'State',
            cell: ({ state: of, error }) => (
              <>
                <State of={of} /> <span className="faint">{error}</span>
              </>
            ),
          },
          { name: 'Sent', cell: ({ sent_at }) => <Moment at={sent_at} /> },
          { name: 'Made', cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
        refreshMs={(rows) => (rows.some((row) => moving.includes(row.state)) ? refreshMs : undefined)}
      />
    </>
  )
}
