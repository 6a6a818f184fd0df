import { type BotIdentity, type ChannelAdapter, ChannelRefused, MessageRefused } from '@svc/channel'
import type { OutgoingName } from '@svc/channel'
import type { Dispatcher } from 'undici'
import { render } from './render/render.ts'
import { callsOf, defaultApiUrl } from './web/client.ts'
import { downloadFile } from './web/download.ts'
import { checkBot, checkSocket, identifyBot } from './web/identify.ts'
import { eventType, findMessage, threadHistory } from './web/threads.ts'
import { findShared, shareFile, uploadFile } from './web/upload.ts'

interface SlackOptions {
  readonly bot_token: string
  /** Given where Slack pushes over a socket: it is tried with the rest. */
  readonly app_token?: string | undefined
  readonly api_url?: string | undefined
  /** The connections, to addresses that were checked. */
  readonly wire: Dispatcher
  /** The bot, where it is known already. */
  readonly identity?: BotIdentity | undefined
}

/** A workspace of Slack by its Web API. Nothing is tried again here; the caller does. */
export function slackChannel({
  bot_token,
  app_token,
  api_url = defaultApiUrl,
  wire,
  identity,
}: SlackOptions): ChannelAdapter {
  const api = { token: bot_token, api_url, wire }
  const call = callsOf(api)
  let known = identity

  const adapter: ChannelAdapter = {
    platform: 'chat_a',
    identify: (signal) => identifyBot(call, signal),
    check: async (signal) => [
      ...(await checkBot(call, signal)),
      ...(app_token === undefined ? [] : [await checkSocket(callsOf({ ...api, token: app_token }), signal)]),
    ],

    post: async ({ conversation, root }, message, name, signal) => {
      const sent = { channel: conversation, thread_ts: root, ...render(message, name), ...plain }
      const metadata = metadataOf(name)
      const { ts } = await call(signal, (client) => client.chat.postMessage({ ...sent, metadata }))
      return posted(ts)
    },

    begin: async (conversation, message, name, signal) => {
      const sent = { channel: conversation, ...render(message, name), ...plain }
      const metadata = metadataOf(name)
      const { ts } = await call(signal, (client) => client.chat.postMessage({ ...sent, metadata }))
      return posted(ts)
    },

    edit: async ({ conversation }, ref, message, name, signal) => {
      const sent = { channel: conversation, ts: ref, ...render(message, name), ...asWritten }
      const metadata = metadataOf(name)
      await call(signal, (client) => client.chat.update({ ...sent, metadata }))
    },

    find: (place, message_id, since, signal) => findMessage(call, place, message_id, since, signal),

    whisper: async ({ conversation, root }, { id }, message, _name, signal) => {
      const sent = { channel: conversation, user: id, thread_ts: root, ...render(message), ...asWritten }
      await call(signal, (client) => client.chat.postEphemeral(sent))
    },

    direct: async ({ id }, signal) => {
      const { channel } = await call(signal, (client) => client.conversations.open({ users: id }))
      if (channel?.id === undefined) throw new Error('Slack does not say which conversation it opened')
      return channel.id
    },

    history: async (place, before, limit, signal) => {
      known ??= await identifyBot(call, signal)
      return threadHistory(call, place, { before, limit, tenant: known.tenant }, signal)
    },

    nameOf: async (of, signal) => {
      try {
        return 'user' in of
          ? await userName(of.user, signal)
          : await conversationName(of.conversation, signal)
      } catch (error) {
        const isUnsaid = error instanceof ChannelRefused && error.reason === 'missing_scope'
        if (!isUnsaid && !(error instanceof MessageRefused)) throw error
        return 'user' in of ? of.user : of.conversation
      }
    },

    download: (file, max_bytes, signal) => downloadFile(api, call, file, max_bytes, signal),

    upload: (file, signal) => uploadFile(api, call, file, signal),

    postFile: (place, { upload, name }, _name, signal) => {
      if (upload === null) throw new Error('A file goes to Slack before its message')
      return shareFile(call, place, { id: upload, name }, signal)
    },

    findFile: ({ conversation }, upload, signal) => findShared(call, conversation, upload, signal),
  }
  return adapter

  async function userName(id: string, signal: AbortSignal): Promise<string> {
    const { user } = await call(signal, (client) => client.users.info({ user: id }))
    return user?.profile?.display_name || user?.profile?.real_name || user?.real_name || user?.name || id
  }

  async function conversationName(id: string, signal: AbortSignal): Promise<string> {
    const { channel } = await call(signal, (client) => client.conversations.info({ channel: id }))
    return channel?.name || id
  }
}

/** Slack makes no mention of a name in a text, and no link of an address but those that the text has. */
const asWritten = { parse: 'none', link_names: false } as const
/** Slack would ask each address of a text for its preview: what an agent writes into one would leave with it. */
const plain = { ...asWritten, unfurl_links: false, unfurl_media: false } as const

function metadataOf({ message_id, revision }: OutgoingName) {
  return { event_type: eventType, event_payload: { message_id, revision } }
}

function posted(ts: string | undefined): string {
  if (ts === undefined) throw new Error('Slack does not say the name of the message that it took')
  return ts
}
