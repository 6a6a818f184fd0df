import type { ConnectorAction } from '@svc/connector'
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

/** Messages by a connected channel. While the platform has no channels, none is connected. */
export const channelProvider: Provider = {
  list: async () => actions,
  call: async () => ({
    ok: false,
    reason: 'connector_not_connected',
    message: 'No channel is connected to this connector; messages cannot be sent. Use another connector.',
    sent: false,
    upstream_status: null,
    bytes_out: 0,
    bytes_in: 0,
  }),
  origin: async () => null,
}
