import type { accounts, health, oauth } from '@svc/contract'
import { createHttp } from './http/transport.ts'
import type { ClientOptions, RequestOptions } from './options.ts'
import { accounts as accountResource, type Accounts } from './resources/accounts.ts'
import { apps, type Apps } from './resources/apps.ts'
import { auth, type Auth } from './resources/auth.ts'
import { channelLinks, type ChannelLinks } from './resources/channels/channel-links.ts'
import { events, type Events } from './resources/events/events.ts'
import { harnesses, type Harnesses } from './resources/harnesses/harnesses.ts'
import { inbox, type InboxResource } from './resources/inbox.ts'
import { notifications, type NotificationsResource } from './resources/notifications.ts'
import { projects, type Projects } from './resources/projects.ts'
import { runtime, type Runtime } from './resources/runtime.ts'
import { tokens, type Tokens } from './resources/tokens.ts'
import { webhooks, type Webhooks } from './resources/events/webhooks.ts'
import { changesStream } from './stream/changes-stream.ts'
import type { StreamOptions } from './stream/resumed-stream.ts'
import type { ChangeEvent, Health, Me, Userinfo, UpdateMeInput } from './types.ts'

/**
 * Every call rejects with `ApiError` (the API refused or failed), `ConnectionError` (no usable answer), or the
 * reason of its own abort signal.
 */
export interface Client {
  /** Needs no token. */
  health(options?: RequestOptions): Promise<Health>
  /** The identity that the token acts as. 403 for a project's token. */
  me(options?: RequestOptions): Promise<Me>
  /** Changes your name. */
  updateMe(input: UpdateMeInput, options?: RequestOptions): Promise<Me>
  /** The person who approved the app whose token this is; every OAuth access token reaches it. */
  userinfo(options?: RequestOptions): Promise<Userinfo>
  readonly auth: Auth
  readonly apps: Apps
  readonly accounts: Accounts
  readonly projects: Projects
  readonly harnesses: Harnesses
  readonly tokens: Tokens
  readonly runtime: Runtime
  readonly webhooks: Webhooks
  readonly inbox: InboxResource
  readonly notifications: NotificationsResource
  /** The log of what happened, and the addresses that are told of it. */
  readonly events: Events
  readonly channelLinks: ChannelLinks
  /**
   * Changes in the projects of the person, by ids, across any number of connections; each begins with `hello`. Ends by
   * `break` or the signal, or throws on a refusal and when the server stays away.
   */
  changes(options?: Omit<StreamOptions, 'after'>): AsyncIterableIterator<ChangeEvent>
}

/** A client holds no connection and needs no closing. Throws TypeError on a malformed `api_url` or `token`. */
export function createClient(options: ClientOptions): Client {
  const http = createHttp(options)
  return {
    health: (request = {}) => http.call<typeof health.getHealth>('GET /v1/health', request),
    me: (request = {}) => http.call<typeof accounts.getMe>('GET /v1/accounts/me', request),
    updateMe: (body, request = {}) =>
      http.call<typeof accounts.updateMe>('PATCH /v1/accounts/me', { ...request, body }),
    userinfo: (request = {}) => http.call<typeof oauth.getUserinfo>('GET /v1/oauth/userinfo', request),
    auth: auth(http),
    apps: apps(http),
    accounts: accountResource(http),
    projects: projects(http),
    harnesses: harnesses(http),
    tokens: tokens(http),
    runtime: runtime(http),
    webhooks: webhooks(http),
    inbox: inbox(http),
    notifications: notifications(http),
    events: events(http),
    channelLinks: channelLinks(http),
    changes: (request = {}) => changesStream(http, request),
  }
}
