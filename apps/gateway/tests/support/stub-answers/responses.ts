import { type Said, toolCalls } from './chat.ts'

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 30 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 120,
}

function items({ scene }: Said) {
  if (scene === 'tools')
    return toolCalls.map(({ id, name, input }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    }))
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Hello from the stub', annotations: [] }],
  }
  if (scene !== 'reasoning') return [message]
  return [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' }, message]
}

export function responseAnswer(said: Said) {
  return {
    id: 'resp_stub',
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    model: said.model,
    output: items(said),
    usage,
  }
}

type ResponseEvent = { readonly type: string } & Record<string, unknown>

export function responseEvents(said: Said): ResponseEvent[] {
  const whole = responseAnswer(said)
  const begun = { ...whole, status: 'in_progress', output: [], usage: null }
  const middle = whole.output.flatMap((item, output_index): ResponseEvent[] => {
    const deltas: ResponseEvent[] =
      'content' in item
        ? ['Hello from ', 'the stub'].map((delta) => ({
            type: 'response.output_text.delta',
            item_id: item.id,
            output_index,
            content_index: 0,
            delta,
          }))
        : 'arguments' in item
          ? [
              {
                type: 'response.function_call_arguments.delta',
                item_id: item.id,
                output_index,
                delta: item.arguments,
              },
            ]
          : []
    const part = { item_id: item.id, output_index, content_index: 0 }
    const opening: ResponseEvent[] =
      'content' in item
        ? [
            {
              type: 'response.content_part.added',
              ...part,
              part: { type: 'output_text', text: '', annotations: [] },
            },
          ]
        : []
    const empty = {
      ...item,
      ...('content' in item ? { content: [] } : {}),
      ...('arguments' in item ? { arguments: '' } : {}),
    }
    return [
      { type: 'response.output_item.added', output_index, item: empty },
      ...opening,
      ...deltas,
      { type: 'response.output_item.done', output_index, item },
    ]
  })
  const all: ResponseEvent[] = [
    { type: 'response.created', response: begun },
    ...middle,
    { type: 'response.completed', response: whole },
  ]
  return all.map((event, sequence_number) => ({ ...event, sequence_number }))
}
