import type { FakeConversation, FakeEphemeral, FakeFile, FakeMessage, FakeUser } from './types.ts'

const letters = (prefix: string, number: number) => `${prefix}${String(number).padStart(8, '0')}`

/** A team with its people, conversations and messages. */
export class Workspace {
  readonly team = { id: 'T00000001', name: 'Fake' }
  readonly bot = { user_id: 'U000000BT', bot_id: 'B000000BT', name: 'helper', app_id: 'A00000001' }
  readonly users = new Map<string, FakeUser>()
  readonly conversations = new Map<string, FakeConversation>()
  readonly ephemerals: FakeEphemeral[] = []
  readonly files = new Map<string, { readonly file: FakeFile; readonly content: Uint8Array }>()
  #lastTs = 0
  #made = 0

  /** The time in microseconds, which no two messages share. */
  nextTs(): string {
    this.#lastTs = Math.max(Date.now() * 1_000, this.#lastTs + 1)
    return `${Math.floor(this.#lastTs / 1_000_000)}.${String(this.#lastTs % 1_000_000).padStart(6, '0')}`
  }

  addUser(name: string): FakeUser {
    const id = letters('U', (this.#made += 1))
    const user = { id, name: name.toLowerCase(), real_name: `${name} Example`, display_name: name }
    this.users.set(id, user)
    return user
  }

  addConversation(name: string, kind: FakeConversation['kind'] = 'channel'): FakeConversation {
    const id = letters({ channel: 'C', group: 'G', im: 'D', mpim: 'G' }[kind], (this.#made += 1))
    const conversation = { id, name, kind, is_archived: false, has_bot: true, messages: [] }
    this.conversations.set(id, conversation)
    return conversation
  }

  /** The conversation of the bot and one person. */
  directWith(user: string): FakeConversation {
    const known = [...this.conversations.values()].find(({ kind, name }) => kind === 'im' && name === user)
    return known ?? this.addConversation(user, 'im')
  }

  addFile(
    url: string,
    name: string,
    mimetype: string,
    content: Uint8Array,
    id = letters('F', (this.#made += 1)),
  ): FakeFile {
    const url_private = `${url}/files-pri/${this.team.id}-${id}/${encodeURIComponent(name)}`
    const file = { id, name, mimetype, size: content.length, url_private, url_private_download: url_private }
    this.files.set(id, { file, content })
    return file
  }

  message(conversation: string, ts: string): FakeMessage | undefined {
    return this.conversations.get(conversation)?.messages.find((message) => message.ts === ts)
  }

  /** A message and its answers, oldest first. */
  thread(conversation: string, root: string): FakeMessage[] {
    const { messages = [] } = this.conversations.get(conversation) ?? {}
    return messages.filter(({ ts, thread_ts }) => ts === root || thread_ts === root)
  }
}
