import type { BotIdentity, ChannelAdapter, Outgoing, OutgoingName } from '@svc/channel'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { ownField } from './read/own.ts'
import { inPlaceOf, inThread, type MatrixMessage, render } from './render/render.ts'
import { callsOf, path } from './web/client.ts'
import { directRoomWith } from './web/direct-rooms.ts'
import { downloadFile } from './web/download.ts'
import { checkBot, identifyBot, roomName, userName } from './web/identify.ts'
import { putReactions, renewReactions } from './web/reactions.ts'
import { threadHistory } from './web/threads.ts'
import { fileContent, uploadFile } from './web/upload.ts'

interface MatrixOptions {
  readonly access_token: string
  readonly homeserver_url: string
  /** The connections, to addresses that were checked. */
  readonly wire: Dispatcher
  /** The bot, where it is known already. */
  readonly identity?: BotIdentity | undefined
}

const Sent = z.object({ event_id: z.string() })

/**
 * A homeserver by its client-server API. Nothing is tried again here; the caller does, and the homeserver answers the
 * repeat of a name with the first event, so that there is nothing to find.
 */
export function matrixChannel({
  access_token,
  homeserver_url,
  wire,
  identity,
}: MatrixOptions): ChannelAdapter {
  const api = { access_token, homeserver_url, wire }
  const call = callsOf(api)
  let known = identity

  const adapter: ChannelAdapter = {
    platform: 'chat_b',
    identify: (signal) => identifyBot(call, signal),
    check: (signal) => checkBot(call, signal),

    post: ({ conversation, root }, message, name, signal) =>
      post(conversation, (content) => inThread(content, root), message, name, signal),

    begin: (conversation, message, name, signal) =>
      post(conversation, (content) => content, message, name, signal),

    edit: async ({ conversation }, ref, message, name, signal) => {
      const content = render(message, name)
      const txn = `${name.message_id}.${name.revision}`
      await put(conversation, txn, inPlaceOf(content, ref), signal)
      const card = { room: conversation, ref, txn, keys: keysOf(content) }
      await renewReactions(call, card, await botId(signal), signal)
    },

    whisper: async (_place, person, message, { message_id }, signal) => {
      await put(await adapter.direct(person, signal), message_id, render(message), signal)
    },

    direct: async ({ id }, signal) => directRoomWith(call, await botId(signal), id, signal),

    history: async (place, before, limit, signal) =>
      threadHistory(call, place, { before, limit, bot: await botId(signal) }, signal),

    nameOf: (of, signal) =>
      'user' in of ? userName(call, of.user, signal) : roomName(call, of.conversation, signal),

    download: (file, max_bytes, signal) => downloadFile(api, file, max_bytes, signal),

    upload: (file, signal) => uploadFile(call, file, signal),

    postFile: ({ conversation, root }, file, { message_id }, signal) => {
      if (file.upload === null) throw new Error('A file goes to the homeserver before its event')
      const content = fileContent(file, file.upload)
      return put(conversation, message_id, root === null ? content : inThread(content, root), signal)
    },
  }
  return adapter

  async function post(
    room: string,
    place: (content: MatrixMessage) => object,
    message: Outgoing,
    name: OutgoingName,
    signal: AbortSignal,
  ): Promise<string> {
    const content = render(message, name)
    const ref = await put(room, name.message_id, place(content), signal)
    // An earlier revision may have arrived, whose answer was lost: then the post was answered with it.
    if (name.revision > 1) await adapter.edit({ conversation: room, root: ref }, ref, message, name, signal)
    else await putReactions(call, { room, ref, txn: name.message_id, keys: keysOf(content) }, signal)
    return ref
  }

  async function put(room: string, txn: string, body: object, signal: AbortSignal): Promise<string> {
    const asked = { method: 'PUT', path: path`v3/rooms/${room}/send/m.room.message/${txn}`, body } as const
    return (await call(signal, asked, Sent)).event_id
  }

  async function botId(signal: AbortSignal): Promise<string> {
    known ??= await identifyBot(call, signal)
    return known.user_id
  }
}

const keysOf = (content: MatrixMessage): readonly string[] =>
  content[ownField]?.buttons.map(({ key }) => key) ?? []
