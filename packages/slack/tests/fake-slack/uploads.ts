import type { FakeConversation, FakeFile, FakeMessage } from './types.ts'
import type { Workspace } from './workspace.ts'
import { type Args, type Method, placeOf, Refused } from './methods.ts'

/** A file that was announced; its bytes come by an address of its own, and it is shown when the app says that it is complete. */
interface Upload {
  readonly filename: string
  readonly length: number
  content: Uint8Array | null
  shown: boolean
}

export interface UploadParts {
  readonly workspace: Workspace
  readonly host: () => string
  readonly postable: (args: Args) => FakeConversation
  readonly onEvent: (event: Readonly<Record<string, unknown>>) => void
}

/** The three steps of a file that an app sends, as Slack documents them. */
export class Uploads {
  readonly #parts: UploadParts
  readonly #uploads = new Map<string, Upload>()

  constructor(parts: UploadParts) {
    this.#parts = parts
  }

  /** Files whose bytes are here, shown or not. */
  get received(): number {
    return [...this.#uploads.values()].filter(({ content }) => content !== null).length
  }

  methods(): Readonly<Record<string, Method>> {
    return {
      'files.getUploadURLExternal': {
        scopes: ['files:write'],
        run: (args) => {
          const [filename, length] = [String(args['filename'] ?? ''), Number(args['length'])]
          if (filename === '' || !Number.isInteger(length) || length <= 0)
            throw new Refused('invalid_arguments')
          const file_id = `F${String(this.#uploads.size + 1).padStart(7, '0')}X`
          this.#uploads.set(file_id, { filename, length, content: null, shown: false })
          return { file_id, upload_url: `${this.#parts.host()}/upload/v1/${file_id}` }
        },
      },
      'files.completeUploadExternal': {
        scopes: ['files:write'],
        writes: true,
        run: (args) => this.#complete(args),
      },
    }
  }

  /** The bytes of an announced file; the status of the answer. */
  take(id: string, content: Uint8Array): number {
    const upload = this.#uploads.get(id)
    if (upload === undefined || upload.shown) return 404
    if (content.length !== upload.length) return 400
    upload.content = content
    return 200
  }

  #complete(args: Args) {
    const conversation = this.#parts.postable({ channel: args['channel_id'] })
    const listed = args['files'] as readonly { readonly id: string; readonly title?: string }[]
    const { workspace } = this.#parts
    const files = listed.map(({ id }): FakeFile => {
      const upload = this.#uploads.get(id)
      if (upload === undefined || upload.content === null || upload.shown) throw new Refused('file_not_found')
      upload.shown = true
      return workspace.addFile(this.#parts.host(), upload.filename, 'text/plain', upload.content, id)
    })
    const { bot, team } = workspace
    const message: FakeMessage = {
      ...{ type: 'message', subtype: 'file_share', ts: workspace.nextTs(), team: team.id, text: '' },
      ...{ user: bot.user_id, bot_id: bot.bot_id, files },
      ...(typeof args['thread_ts'] === 'string' && { thread_ts: args['thread_ts'] }),
    }
    conversation.messages.push(message)
    this.#parts.onEvent({ ...message, ...placeOf(conversation) })
    return { files: listed.map(({ id, title = '' }) => ({ id, title })) }
  }
}
