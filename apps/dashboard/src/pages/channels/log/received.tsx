import { deliveryVerdicts, type WriterDecision } from '@svc/channel/states'
import type { ChannelDelivery } from '@svc/sdk'
import { useNavigate } from '@tanstack/react-router'
import { oneOf } from '../../../frame/search.ts'
import { ActionTable } from '../../../parts/action-table.tsx'
import { Select } from '../../../parts/field.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { pageOf } from '../../../parts/pages.tsx'
import { State } from '../../../parts/state.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { reasonText } from '../channel-words.ts'
import { channelRoute } from '../route.tsx'
import { Files } from './files.tsx'
import type { PartProps } from './threads.tsx'

const refreshMs = 5_000

/** Those of the card that the person who began a thread is shown, for where nothing can be pressed. */
const decisions: readonly {
  readonly label: string
  readonly decision: WriterDecision
  readonly done: string
}[] = [
  { label: 'Allow', decision: 'allow', done: 'The agent is given it.' },
  { label: 'Always this person', decision: 'always', done: 'The agent is given all that they write here.' },
  { label: 'Deny', decision: 'deny', done: 'The agent is not given it.' },
]

/** Everything that arrived by a channel, and what became of it. */
export function Received({ project_id, slug }: PartProps) {
  const { verdict } = channelRoute.useSearch()
  const { channels } = useClient().projects
  const navigate = useNavigate({ from: channelRoute.fullPath })
  return (
    <>
      <div className="flex">
        <Select
          inline
          label="Verdict"
          value={verdict ?? ''}
          onChange={(next) =>
            void navigate({
              search: { tab: 'received', verdict: oneOf(deliveryVerdicts, next) },
              replace: true,
            })
          }
          options={[['', 'All verdicts'], ...deliveryVerdicts.map((one) => [one, one] as const)]}
        />
      </div>
      <ActionTable<ChannelDelivery>
        caption="Received"
        empty={verdict === undefined ? 'Nothing was received yet' : 'None has this verdict'}
        queryKey={['channels', project_id, slug, 'deliveries']}
        filter={verdict ?? ''}
        read={async (cursor) => {
          const query = { ...pageOf(cursor), ...(verdict === undefined ? {} : { verdict }) }
          const { deliveries, next_cursor } = await channels.deliveries(project_id, slug, query)
          return { items: deliveries, next_cursor }
        }}
        keyOf={({ delivery_id }) => delivery_id}
        isLog={verdict === undefined}
        columns={[
          {
            name: 'Message',
            cell: ({ text, kind, sender, files }) => (
              <>
                <span className="line-clamp-3 font-normal">{text === '' ? kind : text}</span>
                <Files files={files} />
                <span className="faint font-normal">from {sender}</span>
              </>
            ),
          },
          {
            name: 'Verdict',
            cell: ({ verdict: of, reason, attempts }) => (
              <>
                <State of={of} /> <span className="faint">{reasonText(reason)}</span>
                {attempts > 1 && <span className="faint"> after {attempts} tries</span>}
              </>
            ),
          },
          { name: 'When', cell: ({ received_at }) => <Moment at={received_at} /> },
        ]}
        actions={[
          {
            label: 'Replay',
            when: (row) => row.verdict === 'failed',
            run: ({ delivery_id }) => channels.replay(project_id, slug, delivery_id),
            done: 'It is worked once more.',
          },
          ...decisions.map(({ label, decision, done }) => ({
            ...{ label, done },
            when: (row: ChannelDelivery) => row.verdict === 'asked',
            run: ({ delivery_id }: ChannelDelivery) =>
              channels.decide(project_id, slug, delivery_id, { decision }),
          })),
        ]}
        refreshMs={(rows) => (rows.some((row) => row.verdict === 'pending') ? refreshMs : undefined)}
      />
    </>
  )
}
