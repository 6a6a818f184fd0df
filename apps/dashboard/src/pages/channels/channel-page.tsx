import type { Channel } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { oneOf } from '../../frame/search.ts'
import { Failure } from '../../parts/failure.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { ChannelActions } from './channel-actions.tsx'
import { ChannelFacts } from './channel-facts.tsx'
import { platformNames } from './channel-words.ts'
import { chatPlatforms } from './chat-platforms.ts'
import { SetUp } from './connect/set-up.tsx'
import { People } from './log/people.tsx'
import { Received } from './log/received.tsx'
import { Sent } from './log/sent.tsx'
import { Threads } from './log/threads.tsx'
import { channelRoute } from './route.tsx'
import { SettingsForm } from './settings/settings-form.tsx'

/** One channel: its state, its threads, what came and went by it, the people who write by it, and its rules. */
export function ChannelPage() {
  const { project_id, slug } = channelRoute.useParams()
  const { channels } = useClient().projects
  const query = useQuery({
    queryKey: ['channels', project_id, slug, 'row'],
    queryFn: () => channels.get(project_id, slug),
  })
  const up = { to: `/projects/${project_id}/channels`, label: 'Channels' }
  const channel = query.data
  if (channel === undefined)
    return (
      <Page title={slug} up={up}>
        <Failure error={query.error} />
        {query.error === null && <Loading />}
      </Page>
    )
  return (
    <Page
      title={channel.name}
      up={up}
      beside={<State of={channel.status} />}
      actions={<ChannelActions channel={channel} />}
      context={<ChannelFacts channel={channel} />}
    >
      <Failure error={query.error} />
      {channel.last_error !== null && (
        <p className="notice bad">
          <span>Last error: {channel.last_error}</span>
        </p>
      )}
      {channel.blocked_until !== null && Date.parse(channel.blocked_until) > Date.now() && (
        <p className="notice warn">
          <span>
            The platform asked for a pause; sending goes on <Moment at={channel.blocked_until} />
          </span>
        </p>
      )}
      <ChannelTabs channel={channel} />
    </Page>
  )
}

function ChannelTabs({ channel }: { readonly channel: Channel }) {
  const { project_id, slug, platform } = channel
  const { tab = 'threads' } = channelRoute.useSearch()
  const navigate = useNavigate({ from: channelRoute.fullPath })
  const tabs = [
    { key: 'threads', label: 'Threads' },
    { key: 'received', label: 'Received' },
    { key: 'sent', label: 'Sent' },
    { key: 'people', label: 'People' },
    { key: 'settings', label: 'Settings' },
    ...(oneOf(chatPlatforms, platform) === undefined
      ? []
      : [
          {
            key: 'setup',
            label: platform === 'email' ? 'Write to it' : `Set up in ${platformNames[platform]}`,
          } as const,
        ]),
  ] as const
  const shown = tabs.find(({ key }) => key === tab)?.key ?? 'threads'
  const part = { project_id, slug }
  return (
    <Tabs
      label="Of the channel"
      tabs={tabs}
      value={shown}
      onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
    >
      {shown === 'threads' && <Threads {...part} platform={platform} />}
      {shown === 'received' && <Received {...part} />}
      {shown === 'sent' && <Sent {...part} />}
      {shown === 'people' && <People {...part} />}
      {shown === 'settings' && <SettingsForm channel={channel} />}
      {shown === 'setup' && <SetUp channel={channel} />}
    </Tabs>
  )
}
