import { setTimeout as sleep } from 'node:timers/promises'
import { RequestError } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import type { Call, Message } from './conversation.ts'
import type { Gateway } from './settings.ts'

const Chunk = z.object({
  choices: z.array(
    z.object({
      delta: z.object({
        content: z.string().nullish(),
        reasoning_content: z.string().nullish(),
        tool_calls: z
          .array(
            z.object({
              index: z.int().default(0),
              id: z.string().optional(),
              function: z.object({ name: z.string().optional(), arguments: z.string().optional() }),
            }),
          )
          .nullish(),
      }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: z.object({ total_tokens: z.number() }).nullish(),
})
const Failure = z.object({ error: z.object({ message: z.string() }) })
const List = z.object({ data: z.array(z.object({ id: z.string() })) })

export interface Answer {
  text: string
  calls: Call[]
  tokens: number
}
export interface AnswerListener {
  /** Each attempt begins anew, with text that does not continue that of the one before. */
  begin(): void
  text(delta: string): Promise<void>
  thought(delta: string): Promise<void>
}
export interface ModelQuestion {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly object[]
}

const maxRetries = 5

/** One answer of the model. A failed attempt is made again while there is hope; else the model's words are the error. */
export async function askModel(
  gateway: Gateway,
  question: ModelQuestion,
  listener: AnswerListener,
  signal: AbortSignal,
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask(gateway, question, listener, signal)
    } catch (error) {
      const isFinal = signal.aborted || attempt === maxRetries || error instanceof FinalRefusal
      if (!isFinal) await sleep(20 * 2 ** attempt, undefined, { signal })
      else if (error instanceof Error) throw new RequestError(-32603, error.message)
      else throw error
    }
  }
}

/** A refusal that another attempt would get as well. */
class FinalRefusal extends Error {}

async function ask(
  gateway: Gateway,
  question: ModelQuestion,
  listener: AnswerListener,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await fetch(`${gateway.base_url}/chat/completions`, {
    method: 'POST',
    headers: { ...gateway.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...question, stream: true, stream_options: { include_usage: true } }),
    signal,
  })
  if (!response.ok) {
    const text = await response.text()
    const message = messageOf(text) ?? `${response.status} ${text.slice(0, 200)}`
    const mayRetry = response.status === 429 || response.status >= 500
    throw mayRetry ? new Error(message) : new FinalRefusal(message)
  }
  listener.begin()
  return readAnswer(response, listener)
}

function messageOf(text: string): string | undefined {
  try {
    return Failure.parse(JSON.parse(text)).error.message
  } catch {
    return undefined
  }
}

async function readAnswer(response: Response, listener: AnswerListener): Promise<Answer> {
  const answer: Answer = { text: '', calls: [], tokens: 0 }
  let isWhole = false
  for await (const data of dataLines(response)) {
    const { choices, usage } = Chunk.parse(JSON.parse(data))
    answer.tokens = usage?.total_tokens ?? answer.tokens
    for (const { delta, finish_reason } of choices) {
      isWhole ||= typeof finish_reason === 'string'
      if (delta.reasoning_content) await listener.thought(delta.reasoning_content)
      answer.text += delta.content ?? ''
      if (delta.content) await listener.text(delta.content)
      for (const { index, id, function: part } of delta.tool_calls ?? []) {
        const call = (answer.calls[index] ??= {
          id: id ?? '',
          type: 'function',
          function: { name: '', arguments: '' },
        })
        call.function.name += part.name ?? ''
        call.function.arguments += part.arguments ?? ''
      }
    }
  }
  if (!isWhole) throw new Error('The answer was cut off')
  return answer
}

async function* dataLines(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: {')) yield line.slice('data: '.length)
  }
}

/** The models that the server lists; none when it lists none. */
export async function listModels({ base_url, headers }: Gateway): Promise<string[]> {
  try {
    const response = await fetch(`${base_url}/models`, { headers })
    return List.parse(await response.json()).data.map(({ id }) => id)
  } catch {
    return []
  }
}
