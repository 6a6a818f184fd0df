import { createHash } from 'node:crypto'
import type { ChatRequest } from '../chat-request.ts'
import type { Step } from './step.ts'
import { nextStep } from './script.ts'

export const demoModel = {
  id: 'demo',
  object: 'model',
  created: 0,
  owned_by: 'svc (scripted, no AI)',
  name: 'Scripted demo model',
  context_window: 128_000,
  max_output_tokens: 8_192,
} as const

const pieceLength = 16
const charactersPerToken = 4

interface Completion {
  readonly id: string
  readonly created: number
  readonly step: Step
  readonly arguments: string
  readonly usage: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly total_tokens: number
  }
}

/** The answer of the demo model. The same conversation gets the same answer, ids included. */
export function complete(request: ChatRequest, now: Date): Completion {
  const step = nextStep(request)
  const asked = JSON.stringify(request.messages)
  const input = step.call === null ? '' : JSON.stringify(step.call.input)
  const prompt_tokens = Math.ceil(asked.length / charactersPerToken)
  const completion_tokens = Math.max(1, Math.ceil((step.text.length + input.length) / charactersPerToken))
  return {
    id: createHash('sha256').update(asked).digest('hex').slice(0, 24),
    created: Math.floor(now.getTime() / 1000),
    step,
    arguments: input,
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  }
}

export function wholeCompletion({ id, created, step, arguments: input, usage }: Completion) {
  const { text, call } = step
  const calls =
    call === null
      ? {}
      : {
          tool_calls: [
            { id: `call_${id}`, type: 'function', function: { name: call.tool, arguments: input } },
          ],
        }
  const message = { role: 'assistant', content: text === '' && call !== null ? null : text, ...calls }
  const choice = { index: 0, message, finish_reason: call === null ? 'stop' : 'tool_calls' }
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created,
    model: demoModel.id,
    choices: [choice],
    usage,
  }
}

/** The same answer in the small pieces of a stream, so that it is seen to be written. */
export function* completionChunks(completion: Completion, include_usage: boolean): Generator<object> {
  const { id, created, step, usage } = completion
  const base = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created, model: demoModel.id }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  })
  yield chunk({ role: 'assistant', content: '' })
  for (const content of pieces(step.text)) yield chunk({ content })
  if (step.call !== null) {
    const opening = { id: `call_${id}`, type: 'function', function: { name: step.call.tool, arguments: '' } }
    yield chunk({ tool_calls: [{ index: 0, ...opening }] })
    for (const part of pieces(completion.arguments))
      yield chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] })
  }
  yield chunk({}, step.call === null ? 'stop' : 'tool_calls')
  if (include_usage) yield { ...base, choices: [], usage }
}

/** Whole characters, never half of a surrogate pair. */
export function pieces(text: string): string[] {
  const [...letters] = text
  const count = Math.ceil(letters.length / pieceLength)
  return Array.from({ length: count }, (_, index) =>
    letters.slice(index * pieceLength, (index + 1) * pieceLength).join(''),
  )
}
