import { randomUUID } from 'node:crypto'

/** An event as the API shows it to a person. */
export interface SeenEvent {
  readonly type: string
  readonly event_id: string
  readonly sender: string
  readonly content: Readonly<Record<string, unknown>>
  readonly unsigned?: Readonly<Record<string, unknown>>
}

type Content = Readonly<Record<string, unknown>>

/** A user with a client that does what it is asked to. */
export interface Person {
  readonly user_id: string
  readonly access_token: string
  request(method: string, path: string, body?: object): Promise<Record<string, unknown>>
  call(method: string, path: string, body?: object): Promise<Record<string, unknown>>
  createRoom(options: object): Promise<string>
  join(room: string): Promise<void>
  say(room: string, body: string, more?: Content): Promise<string>
  send(room: string, type: string, content: Content): Promise<string>
  react(room: string, event: string, key: string): Promise<string>
  redact(room: string, event: string): Promise<string>
  upload(bytes: Uint8Array, type: string): Promise<string>
  /** The events that a room shows, oldest first. */
  timeline(room: string, type?: string): Promise<SeenEvent[]>
  /** The rooms that this person is invited to. */
  invites(): Promise<string[]>
}

export const threadOf = (root: string, reply?: string) => ({
  'm.relates_to': {
    ...{ rel_type: 'm.thread', event_id: root, is_falling_back: reply === undefined },
    'm.in_reply_to': { event_id: reply ?? root },
  },
})

export const replyTo = (event_id: string) => ({ 'm.relates_to': { 'm.in_reply_to': { event_id } } })

export function personOf({
  url,
  user_id,
  access_token,
}: {
  readonly url: string
  readonly user_id: string
  readonly access_token: string
}): Person {
  const headers = { authorization: `Bearer ${access_token}` }

  async function request(method: string, path: string, body?: object) {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(url + path, { method, headers, ...init })
    const json = (await answer.json()) as Record<string, unknown>
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`)
    return json
  }

  const call: Person['call'] = (method, path, body) => request(method, `/_matrix/client/${path}`, body)
  const send: Person['send'] = async (room, type, content) => {
    const path = `v3/rooms/${encodeURIComponent(room)}/send/${type}/${randomUUID()}`
    return String((await call('PUT', path, content))['event_id'])
  }

  return {
    ...{ user_id, access_token, request, call, send },
    createRoom: async (options) => String((await call('POST', 'v3/createRoom', options))['room_id']),
    join: async (room) => void (await call('POST', `v3/rooms/${encodeURIComponent(room)}/join`, {})),
    say: (room, body, more = {}) => send(room, 'm.room.message', { msgtype: 'm.text', body, ...more }),
    react: (room, event_id, key) =>
      send(room, 'm.reaction', { 'm.relates_to': { rel_type: 'm.annotation', event_id, key } }),
    redact: async (room, event) => {
      const path = `v3/rooms/${encodeURIComponent(room)}/redact/${encodeURIComponent(event)}/${randomUUID()}`
      return String((await call('PUT', path, {}))['event_id'])
    },
    upload: async (bytes, type) => {
      const address = `${url}/_matrix/media/v3/upload?filename=x`
      const init = { method: 'POST', headers: { ...headers, 'content-type': type }, body: Buffer.from(bytes) }
      const json = (await (await fetch(address, init)).json()) as { content_uri: string }
      return json.content_uri
    },
    timeline: async (room, type = 'm.room.message') => {
      const { chunk } = await call('GET', `v3/rooms/${encodeURIComponent(room)}/messages?dir=b&limit=100`)
      // The answers of the homeserver are as the API has them.
      return (chunk as SeenEvent[]).filter((event) => event.type === type).toReversed()
    },
    invites: async () => {
      const { rooms } = await call('GET', 'v3/sync')
      return Object.keys(Object(Object(rooms).invite))
    },
  }
}
