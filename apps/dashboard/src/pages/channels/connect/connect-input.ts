import type { ChannelPolicy, ChosenTransport, ThreadReplies } from '@svc/channel/states'
import type { ConnectChannelInput } from '@svc/sdk'
import type { ChatPlatform } from '../chat-platforms.ts'
import { isMailIncomplete, type MailFields, mailInput, noMailFields } from './mail-input.ts'
import {
  type ChatTransport,
  lacksSecret,
  matrixCredentials,
  noSecrets,
  type Secrets,
  slackCredentials,
} from './secrets.ts'

/** The form as it stands. */
export interface ConnectFields {
  readonly platform: ChatPlatform
  /** Of Slack. */
  readonly transport: ChosenTransport
  readonly secrets: Secrets
  readonly name: string
  readonly agent: string
  readonly policy: ChannelPolicy
  readonly thread_replies: ThreadReplies
  readonly slug: string
  /** Of Slack. */
  readonly api_url: string
  /** Of Matrix. */
  readonly homeserver_url: string
  readonly mail: MailFields
}

export const noFields: ConnectFields = {
  platform: 'chat_a',
  transport: 'events',
  secrets: noSecrets,
  name: '',
  agent: '',
  policy: 'owner_approval',
  thread_replies: 'all',
  slug: '',
  api_url: '',
  homeserver_url: '',
  mail: noMailFields,
}

/** The way to receive of a chat: one of the two of Slack, or that of Matrix; null for mail. */
export function transportOf({ platform, transport }: ConnectFields): ChatTransport | null {
  if (platform === 'email') return null
  return platform === 'chat_b' ? 'sync' : transport
}

/** True while a secret is missing, or an address that is needed. */
export function isIncomplete(fields: ConnectFields): boolean {
  const { platform, secrets, homeserver_url, mail } = fields
  const transport = transportOf(fields)
  if (transport === null) return isMailIncomplete(mail)
  return lacksSecret(transport, secrets) || (platform === 'chat_b' && homeserver_url.trim() === '')
}

/** The request that connects the platform; an empty field is left out. */
export function connectInput(fields: ConnectFields): ConnectChannelInput {
  const { policy, thread_replies } = fields
  const [name, slug] = [fields.name.trim(), fields.slug.trim()]
  return {
    ...platformInput(fields),
    policy,
    thread_replies,
    ...(name !== '' && { name }),
    ...(slug !== '' && { slug }),
    ...(fields.agent !== '' && { agent: fields.agent }),
  }
}

function platformInput({ platform, transport, secrets, ...addresses }: ConnectFields) {
  const [api_url, homeserver_url] = [addresses.api_url.trim(), addresses.homeserver_url.trim()]
  if (platform === 'email') return { platform, ...mailInput(addresses.mail) }
  return platform === 'chat_b'
    ? { platform, credentials: matrixCredentials(secrets), settings: { homeserver_url } }
    : {
        platform,
        credentials: slackCredentials(transport, secrets),
        settings: { transport, ...(api_url !== '' && { api_url }) },
      }
}
