import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Page } from '../../../parts/page.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { platformWord } from '../channel-words.ts'
import type { ChatPlatform } from '../chat-platforms.ts'
import { newChannelRoute } from '../route.tsx'
import { ConnectForm } from './connect-form.tsx'
import { connectInput, noFields } from './connect-input.ts'
import { noMailFields } from './mail-input.ts'
import { noSecrets } from './secrets.ts'
import { appsUrl, botScopes } from './slack-app.ts'

/** Connects a platform. */
export function NewChannelPage() {
  const { platform = 'chat_a' } = newChannelRoute.useSearch()
  return <NewChannel key={platform} platform={platform} />
}

/** The secrets stay in this page until they are sent, and nowhere else. */
function NewChannel({ platform }: { readonly platform: ChatPlatform }) {
  const { project_id } = newChannelRoute.useParams()
  const { slug = '' } = newChannelRoute.useSearch()
  const { channels } = useClient().projects
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [fields, setFields] = useState({
    ...noFields,
    platform,
    slug,
    ...(platform === 'email' && { policy: 'owner_only' as const }),
  })
  const connect = useMutation({
    mutationFn: () => channels.connect(project_id, connectInput(fields)),
    onSuccess: async (channel) => {
      setFields((before) => ({ ...before, secrets: noSecrets, mail: noMailFields }))
      queries.setQueryData(['channels', project_id, channel.slug, 'row'], channel)
      await queries.invalidateQueries({ queryKey: ['channels', project_id] })
      await navigate({
        to: '/projects/$project_id/channels/$slug',
        params: { project_id, slug: channel.slug },
        search: { tab: 'setup' },
      })
    },
  })
  return (
    <Page
      title={`Connect ${platformWord(platform)}`}
      narrow
      up={{ to: `/projects/${project_id}/channels`, label: 'Channels' }}
    >
      <p className="hint">{bots[platform]}</p>
      <ConnectForm
        project_id={project_id}
        fields={fields}
        busy={connect.isPending}
        error={connect.error}
        onChange={(change) => setFields((before) => ({ ...before, ...change }))}
        onSubmit={() => connect.mutate()}
      />
    </Page>
  )
}

const SlackBot = () => (
  <>
    Make an app at{' '}
    <a href={appsUrl} target="_blank" rel="noreferrer">
      api.slack.com/apps
    </a>
    , give its bot the scopes {botScopes.join(', ')}, and install it to your workspace. The next page says
    what else to set there.
  </>
)

const MatrixBot = () => (
  <>
    Make a user for the bot on your homeserver, give it a display name, and get its access token by a login of
    its own at <code>/_matrix/client/v3/login</code>. A token with an expiry is of no use. The next page says
    what to do in a room.
  </>
)

const MailAddress = () => (
  <>
    People write to an address, and answers come as mails in the same thread. Each of them is linked once, by
    the first mail that they send. Questions and change requests are mails with a link to their page.
  </>
)

const bots: Readonly<Record<ChatPlatform, ReactNode>> = {
  chat_a: <SlackBot />,
  chat_b: <MatrixBot />,
  email: <MailAddress />,
}
