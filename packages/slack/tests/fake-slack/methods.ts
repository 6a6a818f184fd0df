import type { KnownBlock } from '@slack/types'
import { areBlocks } from './blocks.ts'
import type { FakeConversation, FakeMessage } from './types.ts'
import { Uploads } from './uploads.ts'
import type { Workspace } from './workspace.ts'

export type Args = Readonly<Record<string, unknown>>
type Answer = Readonly<Record<string, unknown>>

export interface Method {
  readonly scopes: readonly string[]
  /** Changes what others see: its answer can be lost. */
  readonly writes?: boolean
  run(args: Args): Answer
}

export interface MethodParts {
  readonly workspace: Workspace
  /** The address of this Slack. */
  readonly host: () => string
  /** Called for each message that is written or changed. */
  readonly onEvent: (event: Readonly<Record<string, unknown>>) => void
}

/** An answer with `ok: false`. */
export class Refused extends Error {}

const text = (args: Args, name: string): string | undefined => {
  const value = args[name]
  return value === undefined || value === '' ? undefined : String(value)
}
const history = ['channels:history', 'groups:history', 'im:history', 'mpim:history']

/** The methods of the Web API that are called with a bot token. */
export function methodsOf({ workspace, host, onEvent }: MethodParts): {
  readonly methods: Readonly<Record<string, Method>>
  readonly uploads: Uploads
} {
  const { bot, team, users, ephemerals, files } = workspace

  const conversationOf = (args: Args): FakeConversation => {
    const conversation = workspace.conversations.get(text(args, 'channel') ?? '')
    if (conversation === undefined) throw new Refused('channel_not_found')
    return conversation
  }

  const contentOf = (args: Args) => {
    const { blocks, metadata } = args
    const words = text(args, 'text')
    if (blocks !== undefined && !areBlocks(blocks)) throw new Refused('invalid_blocks')
    if (words === undefined && blocks === undefined) throw new Refused('no_text')
    if ((words?.length ?? 0) > 40_000) throw new Refused('msg_too_long')
    return {
      text: words ?? '',
      ...(blocks !== undefined && { blocks: blocks as readonly KnownBlock[] }),
      ...(metadata !== undefined && { metadata }),
    }
  }

  const postable = (args: Args): FakeConversation => {
    const conversation = conversationOf(args)
    if (conversation.is_archived) throw new Refused('is_archived')
    if (!conversation.has_bot) throw new Refused('not_in_channel')
    return conversation
  }

  /** Pages of at most `limit`; a cursor is the place of the next one. */
  const page = (args: Args, messages: readonly FakeMessage[], always: readonly FakeMessage[] = []) => {
    const [oldest, latest] = [Number(args['oldest'] ?? 0), Number(args['latest'] ?? Infinity)]
    const isInclusive = String(args['inclusive']) === 'true'
    const within = messages.filter(({ ts }) =>
      isInclusive ? Number(ts) >= oldest && Number(ts) <= latest : Number(ts) > oldest && Number(ts) < latest,
    )
    const from = Number(text(args, 'cursor') ?? 0)
    const limit = Math.min(Number(args['limit'] ?? 100), 1_000)
    const hasMore = from + limit < within.length
    const shown = [...always, ...within.slice(from, from + limit)].map(({ metadata, ...message }) =>
      String(args['include_all_metadata']) === 'true' && metadata !== undefined
        ? { ...message, metadata }
        : message,
    )
    const response_metadata = { next_cursor: hasMore ? String(from + limit) : '' }
    return { messages: shown, has_more: hasMore, response_metadata }
  }

  const uploads = new Uploads({ workspace, host, postable, onEvent })
  const methods: Readonly<Record<string, Method>> = {
    ...uploads.methods(),
    'auth.test': {
      scopes: [],
      run: () => ({
        url: 'https://fake.slack.com/',
        team: team.name,
        user: bot.name,
        team_id: team.id,
        user_id: bot.user_id,
        bot_id: bot.bot_id,
        is_enterprise_install: false,
      }),
    },
    'chat.postMessage': {
      scopes: ['chat:write'],
      writes: true,
      run: (args) => {
        const conversation = postable(args)
        const thread_ts = text(args, 'thread_ts')
        const message: FakeMessage = {
          type: 'message',
          ts: workspace.nextTs(),
          team: team.id,
          user: bot.user_id,
          bot_id: bot.bot_id,
          ...(thread_ts !== undefined && { thread_ts }),
          ...contentOf(args),
        }
        conversation.messages.push(message)
        onEvent({ ...message, ...placeOf(conversation) })
        return { channel: conversation.id, ts: message.ts, message }
      },
    },
    'chat.update': {
      scopes: ['chat:write'],
      writes: true,
      run: (args) => {
        const conversation = conversationOf(args)
        const message = workspace.message(conversation.id, text(args, 'ts') ?? '')
        if (message === undefined) throw new Refused('message_not_found')
        if (message.bot_id !== bot.bot_id) throw new Refused('cant_update_message')
        const before = { ...message }
        Object.assign(message, contentOf(args), { edited: { user: bot.user_id, ts: workspace.nextTs() } })
        onEvent({
          type: 'message',
          subtype: 'message_changed',
          hidden: true,
          ts: workspace.nextTs(),
          message: { ...message },
          previous_message: before,
          ...placeOf(conversation),
        })
        return { channel: conversation.id, ts: message.ts, text: message.text, message }
      },
    },
    'conversations.open': {
      scopes: ['im:write'],
      run: (args) => {
        const user = text(args, 'users') ?? ''
        if (!users.has(user)) throw new Refused('user_not_found')
        return { channel: { id: workspace.directWith(user).id } }
      },
    },
    'chat.postEphemeral': {
      scopes: ['chat:write'],
      writes: true,
      run: (args) => {
        const conversation = postable(args)
        const user = text(args, 'user') ?? ''
        if (!users.has(user)) throw new Refused('user_not_in_channel')
        const thread_ts = text(args, 'thread_ts')
        const { text: words, blocks } = contentOf(args)
        ephemerals.push({
          conversation: conversation.id,
          user,
          text: words,
          ...(blocks && { blocks }),
          ...(thread_ts !== undefined && { thread_ts }),
        })
        return { message_ts: workspace.nextTs() }
      },
    },
    'conversations.replies': {
      scopes: history,
      run: (args) => {
        const conversation = conversationOf(args)
        const [root, ...replies] = workspace.thread(conversation.id, text(args, 'ts') ?? '')
        if (root === undefined) throw new Refused('thread_not_found')
        return page(args, replies, [root])
      },
    },
    'conversations.history': {
      scopes: history,
      run: (args) => {
        const { messages } = conversationOf(args)
        return page(args, messages.filter(({ ts, thread_ts }) => !thread_ts || thread_ts === ts).reverse())
      },
    },
    'conversations.info': {
      scopes: ['channels:read'],
      run: (args) => {
        const { id, name, kind, is_archived } = conversationOf(args)
        return { channel: { id, ...(kind !== 'im' && { name }), is_im: kind === 'im', is_archived } }
      },
    },
    'users.info': {
      scopes: ['users:read'],
      run: (args) => {
        const user = users.get(text(args, 'user') ?? '')
        if (user === undefined) throw new Refused('user_not_found')
        const { id, name, real_name, display_name } = user
        return { user: { id, team_id: team.id, name, real_name, profile: { real_name, display_name } } }
      },
    },
    'files.info': {
      scopes: ['files:read'],
      run: (args) => {
        const found = files.get(text(args, 'file') ?? '')
        if (found === undefined) throw new Refused('file_not_found')
        const shown = [...workspace.conversations.values()].filter(({ messages }) =>
          messages.some((message) => message.files?.some(({ id }) => id === found.file.id)),
        )
        const shares = Object.fromEntries(shown.map(({ id }) => [id, [{ ts: '1.0' }]]))
        return { file: { ...found.file, shares: { public: shares } } }
      },
    },
  }
  return { methods, uploads }
}

/** The conversation of an event. */
export function placeOf({ id, kind }: FakeConversation) {
  return { channel: id, channel_type: kind }
}
