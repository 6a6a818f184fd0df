import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '../../../parts/page.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { newChannelRoute } from '../route.tsx'
import { ConnectForm } from './connect-form.tsx'
import { connectInput, noFields, noSecrets } from './connect-input.ts'
import { appsUrl, botScopes } from './slack-app.ts'

/** Connects Slack. The secrets stay in this page until they are sent, and nowhere else. */
export function NewChannelPage() {
  const { project_id } = newChannelRoute.useParams()
  const { slug = '' } = newChannelRoute.useSearch()
  const { channels } = useClient().projects
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [fields, setFields] = useState({ ...noFields, slug })
  const connect = useMutation({
    mutationFn: () => channels.connect(project_id, connectInput(fields)),
    onSuccess: async (channel) => {
      setFields((before) => ({ ...before, secrets: noSecrets }))
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
    <Page title="Connect Slack" narrow up={{ to: `/projects/${project_id}/channels`, label: 'Channels' }}>
      <p className="hint">
        Make an app at{' '}
        <a href={appsUrl} target="_blank" rel="noreferrer">
          api.slack.com/apps
        </a>
        , give its bot the scopes {botScopes.join(', ')}, and install it to your workspace. The next page says
        what else to set there.
      </p>
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
