import type { ConnectorAction, Reason } from '@svc/connector'
import { z } from 'zod'
import type { Provider } from '../shapes.ts'

const text = { type: 'string' } as const

const actions: readonly ConnectorAction[] = [
  {
    action: 'send',
    title: 'Send a message',
    description: 'Sends a message to a person or a place of the channel.',
    risk: 'write',
    input_schema: {
      type: 'object',
      properties: { to: text, text, subject: text, thread: text },
      required: ['to', 'text'],
      additionalProperties: false,
    },
    binding: {},
  },
  {
    action: 'reply',
    title: 'Reply',
    description: 'Replies where the session was begun from.',
    risk: 'write',
    input_schema: { type: 'object', properties: { text }, required: ['text'], additionalProperties: false },
    binding: {},
  },
]

/** A message of an agent: to a place, into a thread, or where its session was begun from. */
export interface ChannelWish {
  readonly text: string
  readonly subject?: string | undefined
  readonly to?: string | undefined
  readonly thread?: string | undefined
}

/** The outbox of channels. A call that is put twice is one message. */
export interface ChannelCalls {
  put(
    call_id: string,
    wish: ChannelWish,
  ): Promise<
    | { readonly kind: 'put'; readonly message_id: string }
    | { readonly kind: 'refused'; readonly reason: Reason; readonly message: string }
  >
}

const Wish = z.object({
  text: z.string(),
  subject: z.string().optional(),
  to: z.string().optional(),
  thread: z.string().optional(),
})

/** Messages by a connected channel; without an outbox none is connected. */
export const channelProvider = (channels?: ChannelCalls): Provider => ({
  list: async () => actions,
  call: async (_target, { action }, args, { beforeSend, idempotency_key }) => {
    const { to, thread, ...words } = Wish.parse(args)
    const unsent = { sent: false, upstream_status: null, bytes_out: 0, bytes_in: 0 }
    if (channels === undefined)
      return { ok: false, reason: 'connector_not_connected', message: notConnected, ...unsent }
    await beforeSend()
    const done = await channels.put(idempotency_key, action === 'reply' ? words : { ...words, to, thread })
    if (done.kind === 'refused') return { ok: false, reason: done.reason, message: done.message, ...unsent }
    const { message_id } = done
    return {
      ok: true,
      data: { message_id },
      truncated: false,
      upstream_status: null,
      bytes_out: 0,
      bytes_in: 0,
    }
  },
  origin: async () => null,
})

const notConnected =
  'No channel is connected to this connector; messages cannot be sent. Use another connector.'
