import type { ChannelPolicy, ChosenTransport, ThreadReplies } from '@svc/channel/states'
import type { ConnectChannelInput } from '@svc/sdk'

/** The secrets of an app of Slack as they are typed. Each way to receive needs one beside the token of the bot. */
export interface SlackSecrets {
  readonly bot_token: string
  readonly signing_secret: string
  readonly app_token: string
}

export const noSecrets: SlackSecrets = { bot_token: '', signing_secret: '', app_token: '' }

/** The form as it stands. */
export interface ConnectFields {
  readonly transport: ChosenTransport
  readonly secrets: SlackSecrets
  readonly name: string
  readonly agent: string
  readonly policy: ChannelPolicy
  readonly thread_replies: ThreadReplies
  readonly slug: string
  readonly api_url: string
}

export const noFields: ConnectFields = {
  transport: 'events',
  secrets: noSecrets,
  name: '',
  agent: '',
  policy: 'owner_approval',
  thread_replies: 'all',
  slug: '',
  api_url: '',
}

/** The secrets that the way to receive needs; the other one is not sent. */
export function credentialsOf(transport: ChosenTransport, secrets: SlackSecrets) {
  const bot_token = secrets.bot_token.trim()
  return transport === 'socket'
    ? { bot_token, app_token: secrets.app_token.trim() }
    : { bot_token, signing_secret: secrets.signing_secret.trim() }
}

/** True while a secret is missing that the way to receive needs. */
export function isIncomplete(transport: ChosenTransport, secrets: SlackSecrets): boolean {
  return Object.values(credentialsOf(transport, secrets)).includes('')
}

/** The request that connects Slack; an empty field is left out. */
export function connectInput(fields: ConnectFields): ConnectChannelInput {
  const { transport, secrets, policy, thread_replies } = fields
  const [name, slug, api_url] = [fields.name.trim(), fields.slug.trim(), fields.api_url.trim()]
  return {
    platform: 'chat_a',
    credentials: credentialsOf(transport, secrets),
    settings: { transport, ...(api_url !== '' && { api_url }) },
    policy,
    thread_replies,
    ...(name !== '' && { name }),
    ...(slug !== '' && { slug }),
    ...(fields.agent !== '' && { agent: fields.agent }),
  }
}
