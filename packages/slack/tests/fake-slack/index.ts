import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { scopes as allScopes } from '../../src/web/scopes.ts'
import { deliverEvent, deliverForm, type DeliverOptions, verifyUrl } from './deliver.ts'
import { methodsOf, placeOf } from './methods.ts'
import { pressPayload } from './press.ts'
import { FakeSockets } from './sockets.ts'
import type { FakeConversation, FakeDelivery, FakeFile, FakeMessage, FakeUser } from './types.ts'
import { answerCall, type WebApi } from './web-api.ts'
import { Workspace } from './workspace.ts'

export type { FakeConversation, FakeFile, FakeMessage, FakeUser } from './types.ts'
export type FakeSlack = Awaited<ReturnType<typeof startFakeSlack>>

interface FakeOptions {
  readonly bot_token: string
  readonly signing_secret?: string
  readonly app_token?: string
  /** Of the bot's token; all that the adapter uses, when not given. */
  readonly scopes?: readonly string[]
  /** The waits before a delivery comes again. */
  readonly retry_ms?: readonly number[]
  /** An answer or an acknowledgement is waited for so long. */
  readonly timeout_ms?: number
  /** The clock of its signatures; the machine's when not given. */
  readonly now?: () => Date
}

interface Said {
  readonly conversation: FakeConversation
  readonly user: FakeUser
  /** With `<@${bot.user_id}>` it is a mention. */
  readonly text: string
  readonly thread_ts?: string
  readonly files?: readonly FakeFile[]
}

/** A Slack on this machine, made of its public documents: one team, one app, its Web API, events, presses and sockets. */
export async function startFakeSlack(options: FakeOptions) {
  const { signing_secret = '', timeout_ms = 3_000, retry_ms = [0, 50, 200], now = () => new Date() } = options
  const delivering: DeliverOptions = { signing_secret, timeout_ms, retry_ms, now }
  const workspace = new Workspace()
  const sockets = new FakeSockets(timeout_ms)
  const faults = { limited: 0, retry_after: 1, lost: 0, broken: 0, is_revoked: false }
  const deliveries: FakeDelivery[] = []
  const underWay = new Set<Promise<void>>()
  let request_url: string | null = null
  let events = 0

  const server = createServer((request, response) => {
    answerCall(api, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`

  const api: WebApi = {
    bot_token: options.bot_token,
    app_token: options.app_token,
    scopes: options.scopes ?? Object.keys(allScopes),
    workspace,
    ...methodsOf({ workspace, host: () => `http://${host}`, onEvent: (event) => send(event) }),
    openSocket: () => sockets.ticket(host),
    calls: [],
    downloads: [],
    faults,
  }

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  /** An event goes to the app's address, or where it has none to a socket. */
  function send(event: Readonly<Record<string, unknown>>): void {
    const { team, bot } = workspace
    const event_id = `Ev${String((events += 1)).padStart(8, '0')}`
    const envelope = {
      token: 'fake',
      team_id: team.id,
      api_app_id: bot.app_id,
      event: { event_ts: event['ts'] ?? workspace.nextTs(), ...event },
      type: 'event_callback',
      event_id,
      event_time: Math.floor(Date.now() / 1_000),
      authorizations: [
        {
          enterprise_id: null,
          team_id: team.id,
          user_id: bot.user_id,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: false,
    }
    const type = [event['type'], event['subtype']].filter(Boolean).join('.')
    const delivery: FakeDelivery = { id: event_id, type, attempts: 0, status: 0 }
    deliveries.push(delivery)
    if (request_url !== null) track(deliverEvent(request_url, envelope, delivery, delivering))
    else if (options.app_token !== undefined) track(sockets.deliver('events_api', envelope, delivery))
  }

  return {
    api_url: `http://${host}/api/`,
    workspace,
    bot: workspace.bot,
    team: workspace.team,
    /** Each event and press, with its tries. */
    deliveries,
    calls: api.calls,
    downloads: api.downloads,
    uploads: api.uploads,
    sockets,

    /** Events and presses go to this address from now on, once it answered the challenge. */
    register: async (url: string): Promise<void> => {
      await verifyUrl(url, delivering)
      request_url = url
    },

    posts: (conversation: FakeConversation, thread_ts?: string): readonly FakeMessage[] =>
      thread_ts === undefined ? conversation.messages : workspace.thread(conversation.id, thread_ts),

    file: (name: string, mimetype: string, content: Uint8Array): FakeFile =>
      workspace.addFile(`http://${host}`, name, mimetype, content),

    /** A person writes; a mention of the bot is an event of its own beside that of the message. */
    say: ({ conversation, user, text, thread_ts, files }: Said): string => {
      const message: FakeMessage = {
        type: 'message',
        ts: workspace.nextTs(),
        team: workspace.team.id,
        user: user.id,
        text,
        ...(thread_ts !== undefined && { thread_ts }),
        ...(files && { files, subtype: 'file_share' }),
      }
      conversation.messages.push(message)
      const isMention = text.includes(`<@${workspace.bot.user_id}>`) && conversation.kind !== 'im'
      const { subtype: _, ...mention } = message
      if (isMention) send({ ...mention, type: 'app_mention', channel: conversation.id })
      send({ ...message, ...placeOf(conversation) })
      return message.ts
    },

    change: (conversation: FakeConversation, ts: string, text: string): void => {
      const message = workspace.message(conversation.id, ts)
      if (message === undefined) throw new Error(`There is no message ${ts}`)
      const previous_message = { ...message }
      message.text = text
      message.edited = { user: message.user ?? '', ts: workspace.nextTs() }
      const changed = { type: 'message', subtype: 'message_changed', hidden: true, ts: workspace.nextTs() }
      send({ ...changed, message: { ...message }, previous_message, ...placeOf(conversation) })
    },

    remove: (conversation: FakeConversation, ts: string): void => {
      const index = conversation.messages.findIndex((message) => message.ts === ts)
      const [previous_message] = conversation.messages.splice(index, 1)
      const deleted = { type: 'message', subtype: 'message_deleted', hidden: true, ts: workspace.nextTs() }
      send({ ...deleted, deleted_ts: ts, previous_message, ...placeOf(conversation) })
    },

    /** The bot comes or goes. */
    setMember: (conversation: FakeConversation, is_member: boolean): void => {
      conversation.has_bot = is_member
      const [channel, user] = [conversation.id, workspace.bot.user_id]
      if (is_member) send({ type: 'member_joined_channel', user, channel, team: workspace.team.id })
      else send({ type: 'channel_left', channel })
    },

    /** A person presses a button, by its id or its words; resolves with the status of the app's answer. */
    press: async (
      conversation: FakeConversation,
      ts: string,
      { user, button, text }: { readonly user: FakeUser; readonly button: string; readonly text?: string },
    ): Promise<number> => {
      const message = workspace.message(conversation.id, ts)
      if (message === undefined) throw new Error(`There is no message ${ts}`)
      const action_ts = workspace.nextTs()
      const payload = pressPayload(workspace, { conversation, message, user, button, text }, action_ts)
      const delivery: FakeDelivery = { id: action_ts, type: 'block_actions', attempts: 0, status: 0 }
      deliveries.push(delivery)
      if (request_url === null) await sockets.deliver('interactive', payload, delivery)
      else await deliverForm(request_url, payload, delivery, delivering)
      return delivery.status
    },

    /** The next `count` calls are answered 429. */
    limit: (count: number, retry_after = 1): void =>
      void Object.assign(faults, { limited: count, retry_after }),
    /** The next `count` messages are taken, and the connection ends before the answer. */
    loseAnswers: (count: number): void => void (faults.lost = count),
    /** The next `count` calls are answered 503. */
    break: (count: number): void => void (faults.broken = count),
    revoke: (): void => void (faults.is_revoked = true),
    withdrawAppToken: (): void => void (api.app_token = undefined),
    /** The bot's token has these scopes from now on. */
    grant: (granted: readonly string[]): void => void (api.scopes = granted),

    /** All that is under way arrived, or was given up. */
    settled: async (): Promise<void> => {
      while (underWay.size > 0) await Promise.all(underWay)
    },

    close: async (): Promise<void> => {
      sockets.close()
      server.closeAllConnections()
      if (server.listening) await new Promise((done) => server.close(done))
    },
  }
}
