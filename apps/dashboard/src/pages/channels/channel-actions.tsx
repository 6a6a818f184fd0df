import type { Channel } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { oneOf } from '../../frame/search.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { chatPlatforms } from './chat-platforms.ts'
import { chatTransports } from './connect/secrets.ts'
import { CredentialsDialog } from './settings/credentials-dialog.tsx'
import { TestDialog } from './settings/test-dialog.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'

/** Test, new credentials and the end of a channel; one that the platform ended is connected anew, or put away. */
export function ChannelActions({ channel }: { readonly channel: Channel }) {
  const { project_id, slug, name, status } = channel
  const { channels } = useClient().projects
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'test' | 'credentials' | 'disconnect' | null>(null)
  const transport = oneOf(chatTransports, channel.transport)
  const platform = oneOf(chatPlatforms, channel.platform)
  const connected = status !== 'disconnected'
  const end = useMutation({
    mutationFn: () => channels.disconnect(project_id, slug),
    onSuccess: async () => {
      await navigate({ to: '/projects/$project_id/channels', params: { project_id } })
      await queries.invalidateQueries({ queryKey: ['channels', project_id] })
    },
  })
  const verb = connected ? 'Disconnect' : 'Put away'
  return (
    <>
      {connected && (
        <GuardedButton
          needs="project.connector.connections.manage"
          className="button"
          onClick={() => setDialog('test')}
        >
          Test
        </GuardedButton>
      )}
      {connected && transport !== undefined && (
        <GuardedButton
          needs="project.connector.connections.manage"
          className="button"
          onClick={() => setDialog('credentials')}
        >
          New credentials
        </GuardedButton>
      )}
      {!connected && platform !== undefined && (
        <Link
          to="/projects/$project_id/channels/new"
          params={{ project_id }}
          search={{ slug, platform }}
          className="button primary"
        >
          Connect anew
        </Link>
      )}
      <GuardedButton
        needs="project.connector.connections.manage"
        className="button danger"
        onClick={() => setDialog('disconnect')}
      >
        {verb}
      </GuardedButton>
      {dialog === 'test' && <TestDialog channel={channel} onClose={() => setDialog(null)} />}
      {dialog === 'credentials' && transport !== undefined && (
        <CredentialsDialog channel={channel} transport={transport} onClose={() => setDialog(null)} />
      )}
      <Confirm
        title={`${verb} ${name}?`}
        open={dialog === 'disconnect'}
        onOpenChange={(open) => setDialog(open ? 'disconnect' : null)}
        verb={verb}
        busy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate()}
      >
        {connected
          ? 'Its credentials are destroyed, and nothing is received or sent any more. Threads and their sessions stay, and go on once it is connected under its slug again.'
          : 'It leaves the list. Threads and their sessions stay.'}
      </Confirm>
    </>
  )
}
