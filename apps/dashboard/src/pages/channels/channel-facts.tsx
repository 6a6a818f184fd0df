import type { Channel } from '@svc/sdk'
import { Copy } from '../../parts/copy.tsx'
import { Moment } from '../../parts/moment.tsx'
import { platformNames, policyNames } from './channel-words.ts'

const transports: Readonly<Record<Channel['transport'], string>> = {
  events: 'by events',
  socket: 'by a socket',
  sync: 'by sync',
  lmtp: 'by the mail server',
  imap: 'by a mailbox',
}

const tenants = { chat_a: 'Workspace', chat_b: 'Homeserver', email: 'Domain' } as const

/** An id beside its name, where the two differ. */
const Other = ({ than, text }: { readonly than: string; readonly text: string }) =>
  than === text ? null : <span className="faint">{text}</span>

/** The bot that a channel is, and its rules. */
export function ChannelFacts({ channel }: { readonly channel: Channel }) {
  const { identity, platform, transport, slug, agent, policy, thread_replies, receive_url } = channel
  return (
    <dl className="facts">
      <dt>Platform</dt>
      <dd>
        {platformNames[platform]}, {transports[transport]}
      </dd>
      {identity !== null && (
        <>
          <dt>{tenants[platform]}</dt>
          <dd dir="auto" className="break-words">
            {identity.tenant_name} <Other than={identity.tenant_name} text={identity.tenant} />
          </dd>
          <dt>{platform === 'email' ? 'Address' : 'Bot'}</dt>
          <dd dir="auto" className="break-words">
            {identity.name} <Other than={identity.name} text={identity.user_id} />
          </dd>
        </>
      )}
      <dt>Slug</dt>
      <dd>
        <code>{slug}</code>
      </dd>
      <dt>Agent</dt>
      <dd>{agent ?? 'the project’s default'}</dd>
      <dt>In a thread</dt>
      <dd>
        {policyNames[policy]}
        {platform !== 'email' && (thread_replies === 'all' ? '; every message counts' : '; mentions count')}
      </dd>
      <dt>Received</dt>
      <dd>
        <Moment at={channel.last_received_at} />
      </dd>
      <dt>Connected</dt>
      <dd>
        <Moment at={channel.created_at} />
      </dd>
      {receive_url !== null && (
        <>
          <dt>Receives at</dt>
          <dd>
            <code className="break-all">{receive_url}</code> <Copy text={receive_url} />
          </dd>
        </>
      )}
    </dl>
  )
}
