import { type Said, toolCalls } from './chat.ts'

const usage = { input_tokens: 70, cache_read_input_tokens: 30, cache_creation_input_tokens: 0 }

function blocks({ scene }: Said) {
  if (scene === 'tools')
    return toolCalls.map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input }))
  const text = { type: 'text' as const, text: 'Hello from the stub' }
  if (scene !== 'reasoning') return [text]
  return [{ type: 'thinking' as const, thinking: 'I think', signature: 'c2lnbmVk' }, text]
}

export function messageAnswer(said: Said) {
  return {
    id: 'msg_stub',
    type: 'message',
    role: 'assistant',
    model: said.model,
    content: blocks(said),
    stop_reason: said.scene === 'tools' ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { ...usage, output_tokens: 20 },
  }
}

type MessageEvent = { readonly type: string } & Record<string, unknown>

export function messageEvents(said: Said): MessageEvent[] {
  const { content: all, stop_reason, stop_sequence, ...message } = messageAnswer(said)
  const start = {
    type: 'message_start',
    message: {
      ...message,
      content: [],
      stop_reason: null,
      stop_sequence,
      usage: { ...usage, output_tokens: 1 },
    },
  }
  const middle = all.flatMap((block, index): MessageEvent[] => {
    const delta = (fields: object) => ({ type: 'content_block_delta', index, delta: fields })
    const begin = (content_block: object) => ({ type: 'content_block_start', index, content_block })
    const end = { type: 'content_block_stop', index }
    if (block.type === 'tool_use') {
      const text = JSON.stringify(block.input)
      const pieces = [text.slice(0, 5), text.slice(5)]
      return [
        begin({ ...block, input: {} }),
        ...pieces.map((partial_json) => delta({ type: 'input_json_delta', partial_json })),
        end,
      ]
    }
    if (block.type === 'thinking')
      return [
        begin({ type: 'thinking', thinking: '', signature: '' }),
        delta({ type: 'thinking_delta', thinking: block.thinking }),
        delta({ type: 'signature_delta', signature: block.signature }),
        end,
      ]
    return [
      begin({ ...block, text: '' }),
      delta({ type: 'text_delta', text: 'Hello from ' }),
      delta({ type: 'text_delta', text: 'the stub' }),
      end,
    ]
  })
  return [
    start,
    { type: 'ping' },
    ...middle,
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ]
}
