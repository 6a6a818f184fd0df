import type { Channel, ChannelThread } from '@svc/sdk'
import { Link } from '@tanstack/react-router'
import { ActionTable } from '../../../parts/action-table.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { pageOf } from '../../../parts/pages.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { placeText, policyNames } from '../channel-words.ts'

export interface PartProps {
  readonly project_id: string
  readonly slug: string
}

/** The threads of a channel, each with its session. */
export function Threads({ project_id, slug, platform }: PartProps & Pick<Channel, 'platform'>) {
  const { channels } = useClient().projects
  return (
    <ActionTable<ChannelThread>
      caption="Threads"
      empty={
        platform === 'email'
          ? 'No thread yet: write a mail to the address of the channel'
          : 'No thread yet: name the bot in a conversation that it is in'
      }
      queryKey={['channels', project_id, slug, 'threads']}
      read={async (cursor) => {
        const { threads, next_cursor } = await channels.threads(project_id, slug, pageOf(cursor))
        return { items: threads, next_cursor }
      }}
      keyOf={({ thread_id }) => thread_id}
      isLog
      columns={[
        {
          name: 'Thread',
          cell: ({ external_key, session_id, title, owner }) => (
            <>
              {session_id === null ? (
                'No session yet'
              ) : (
                <SessionLink
                  project_id={project_id}
                  session_id={session_id}
                  title={title ?? `Session ${session_id.slice(0, 8)}`}
                />
              )}{' '}
              <span className="faint font-normal break-words">
                {placeText(platform, external_key)}, from{' '}
                {owner?.display ?? 'a sender who is not linked any more'}
              </span>
            </>
          ),
        },
        {
          name: 'Agent',
          cell: ({ agent, policy }) => (
            <>
              {agent ?? 'the project’s default'} <span className="faint">{policyNames[policy]}</span>
            </>
          ),
        },
        { name: 'When', cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  )
}

interface SessionLinkProps {
  readonly project_id: string
  readonly session_id: string
  readonly title: string
}

const SessionLink = ({ project_id, session_id, title }: SessionLinkProps) => (
  <Link
    to="/projects/$project_id/sessions/$session_id"
    params={{ project_id, session_id }}
    className="break-words"
  >
    {title}
  </Link>
)
