import type { ChosenTransport } from '@svc/channel/states'

/** The secrets of a bot as they are typed: three of an app of Slack, and one of a user of Matrix. */
export interface Secrets {
  readonly bot_token: string
  readonly signing_secret: string
  readonly app_token: string
  readonly access_token: string
}

export const noSecrets: Secrets = { bot_token: '', signing_secret: '', app_token: '', access_token: '' }

/** The ways to receive that have secrets: two of Slack, and that of Matrix. */
export const chatTransports = ['events', 'socket', 'sync'] as const
export type ChatTransport = (typeof chatTransports)[number]

/** The secrets that each way to receive needs; the first one is that of the bot. */
export const neededSecrets = {
  events: ['bot_token', 'signing_secret'],
  socket: ['bot_token', 'app_token'],
  sync: ['access_token'],
} as const satisfies Readonly<Record<ChatTransport, readonly (keyof Secrets)[]>>

/** The paths of the secrets, as the issues of a refusal name them. */
export function secretPaths(transport: ChatTransport): readonly string[] {
  return neededSecrets[transport].map((name) => `credentials.${name}`)
}

/** The secrets that the way to receive needs; the others are not sent. */
export function credentialsOf(transport: ChatTransport, secrets: Secrets) {
  return transport === 'sync' ? matrixCredentials(secrets) : slackCredentials(transport, secrets)
}

export function slackCredentials(transport: ChosenTransport, secrets: Secrets) {
  const bot_token = secrets.bot_token.trim()
  return transport === 'socket'
    ? { bot_token, app_token: secrets.app_token.trim() }
    : { bot_token, signing_secret: secrets.signing_secret.trim() }
}

export function matrixCredentials({ access_token }: Secrets) {
  return { access_token: access_token.trim() }
}

/** True while a secret is missing that the way to receive needs. */
export function lacksSecret(transport: ChatTransport, secrets: Secrets): boolean {
  return neededSecrets[transport].some((name) => secrets[name].trim() === '')
}
