import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { platformNames, platformWord, policyNames } from './channel-words.ts'
import { chatPlatforms } from './chat-platforms.ts'
import { channelsRoute } from './route.tsx'

const columns = ['Name', 'State', 'Slug', 'Agent', 'Others in a thread', 'Last received']

/** The places where people write to the agents of a project, each with its state. */
export function ChannelsPage() {
  const { project_id } = channelsRoute.useParams()
  const { channels } = useClient().projects
  const query = useQuery({ queryKey: ['channels', project_id], queryFn: () => channels.list(project_id) })
  const connect = chatPlatforms.map((platform, index) => (
    <Link
      key={platform}
      to="/projects/$project_id/channels/new"
      params={{ project_id }}
      search={{ platform }}
      className={index === 0 ? 'button primary' : 'button'}
    >
      <Plus aria-hidden />
      Connect {platformWord(platform)}
    </Link>
  ))
  return (
    <Page title="Channels" actions={query.data !== undefined && query.data.length > 0 && connect}>
      <Loaded query={query}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No channel yet">
              <p>
                A channel lets people write to agents from the chat that they use: a mention begins a session,
                and its thread has the answers.
              </p>
              <div className="flex flex-wrap gap-2">{connect}</div>
            </Empty>
          ) : (
            <DataTable caption="Channels" columns={columns}>
              {all.map(({ slug, name, status, platform, agent, policy, last_received_at, last_error }) => (
                <tr key={slug}>
                  <th scope="row" dir="auto">
                    <Link to="/projects/$project_id/channels/$slug" params={{ project_id, slug }}>
                      {name}
                    </Link>{' '}
                    <span className="faint font-normal">{platformNames[platform]}</span>
                  </th>
                  <td data-name="State">
                    <State of={status} />
                    {last_error !== null && <span className="faint"> {last_error}</span>}
                  </td>
                  <td data-name="Slug">
                    <span className="md:whitespace-nowrap">{slug}</span>
                  </td>
                  <td data-name="Agent">
                    <span className="md:whitespace-nowrap">{agent ?? 'default'}</span>
                  </td>
                  <td data-name="Others in a thread">{policyNames[policy]}</td>
                  <td data-name="Last received">
                    <Moment at={last_received_at} />
                  </td>
                </tr>
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </Page>
  )
}
