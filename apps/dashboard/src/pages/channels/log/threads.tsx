import type { ChannelThread } from '@svc/sdk'
import { Link } from '@tanstack/react-router'
import { ActionTable } from '../../../parts/action-table.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { pageOf } from '../../../parts/pages.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { policyNames } from '../channel-words.ts'

export interface PartProps {
  readonly project_id: string
  readonly slug: string
}

/** The threads of a channel, each with its session. */
export function Threads({ project_id, slug }: PartProps) {
  const { channels } = useClient().projects
  return (
    <ActionTable<ChannelThread>
      caption="Threads"
      empty="No thread yet: name the bot in a conversation that it is in"
      queryKey={['channels', project_id, slug, 'threads']}
      read={async (cursor) => {
        const { threads, next_cursor } = await channels.threads(project_id, slug, pageOf(cursor))
        return { items: threads, next_cursor }
      }}
      keyOf={({ thread_id }) => thread_id}
      columns={[
        {
          name: 'Thread',
          cell: ({ external_key, owner }) => (
            <>
              <code className="break-all">{external_key}</code>{' '}
              <span className="faint font-normal">
                by {owner?.display ?? 'a sender who is not linked any more'}
              </span>
            </>
          ),
        },
        { name: 'Session', cell: ({ session_id }) => <Session of={session_id} project_id={project_id} /> },
        {
          name: 'Agent',
          cell: ({ agent, policy }) => (
            <>
              {agent ?? 'default'} <span className="faint">{policyNames[policy]}</span>
            </>
          ),
        },
        { name: 'When', cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  )
}

function Session({ of, project_id }: { readonly of: string | null; readonly project_id: string }) {
  if (of === null) return <>none yet</>
  const id = of.slice(0, 8)
  return (
    <Link
      to="/projects/$project_id/sessions/$session_id"
      params={{ project_id, session_id: of }}
      className="md:whitespace-nowrap"
      aria-label={`Session ${id}`}
    >
      {id}
    </Link>
  )
}
