import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { listen } from './listen.ts'

/** One answer of the model: text, a tool call, or a refusal. `hold` keeps the stream open until it resolves. */
export interface ModelReply {
  readonly text?: string
  readonly tool?: { readonly name: string; readonly args: Record<string, unknown> }
  readonly status?: number
  readonly hold?: Promise<void>
  /** Failures of the first attempts at this very reply: a status, or a stream that is cut off in the middle. */
  readonly before?: readonly (number | 'cut')[]
}

const Chat = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown().optional() }).loose()),
})
export type ChatRequest = z.infer<typeof Chat> & { readonly authorization: string | undefined }

export interface ScriptedModel {
  readonly baseUrl: string
  readonly requests: ChatRequest[]
  /** While the last user message holds `phrase`, the n-th request of that turn gets the n-th reply. */
  on(phrase: string, replies: readonly ModelReply[]): void
  close(): Promise<void>
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = z.array(z.object({ text: z.string().optional() }).loose()).safeParse(content)
  return parts.success ? parts.data.map((part) => part.text ?? '').join('\n') : ''
}

interface Picked {
  readonly reply: ModelReply
  /** Tells this reply from every other one. */
  readonly key: string
}

function pick(script: Map<string, readonly ModelReply[]>, chat: z.infer<typeof Chat>): Picked {
  const index = chat.messages.findLastIndex((message) => message.role === 'user')
  const prompt = textOf(chat.messages[index]?.content)
  const step = chat.messages.slice(index + 1).filter((message) => message.role === 'assistant').length
  for (const [phrase, replies] of script) {
    if (!prompt.includes(phrase)) continue
    return { reply: replies[step] ?? { text: 'nothing more to do' }, key: `${phrase} ${step}` }
  }
  return { reply: { text: `heard: ${prompt}` }, key: '' }
}

async function answer(reply: ModelReply, failure: number | 'cut' | undefined, response: ServerResponse) {
  const status = typeof failure === 'number' ? failure : reply.status
  if (status !== undefined) {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: `scripted ${status}` } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = (delta: object, finish: string | null = null, extra: object = {}): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    response.write(
      `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, choices, ...extra })}\n\n`,
    )
  }
  chunk({ role: 'assistant' })
  if (failure === 'cut') return void response.write('data: {"id":', () => response.destroy())
  for (const word of reply.text?.split(/(?<= )/) ?? []) chunk({ content: word })
  await reply.hold
  if (reply.tool) {
    const call = { name: reply.tool.name, arguments: JSON.stringify(reply.tool.args) }
    chunk({
      tool_calls: [
        { index: 0, id: `call_${Math.random().toString(36).slice(2)}`, type: 'function', function: call },
      ],
    })
  }
  chunk({}, reply.tool ? 'tool_calls' : 'stop', {
    usage: {
      prompt_tokens: 111,
      completion_tokens: 22,
      total_tokens: 133,
      prompt_tokens_details: { cached_tokens: 11 },
    },
  })
  response.end('data: [DONE]\n\n')
}

/** The models that the server lists; the first is the one that serves agents which name none. */
export const models = ['scripted-model', 'other-model', 'vendor/agent-model']

/** An OpenAI-compatible model that says what the test tells it to. */
export async function startScriptedModel(host: string): Promise<ScriptedModel> {
  const script = new Map<string, readonly ModelReply[]>()
  const tries = new Map<string, number>()
  const requests: ChatRequest[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/v1/models') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }))
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const chat = Chat.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
    requests.push({ ...chat, authorization: request.headers.authorization })
    const { reply, key } = pick(script, chat)
    const attempt = tries.get(key) ?? 0
    tries.set(key, attempt + 1)
    await answer(reply, reply.before?.[attempt], response)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })
  const { port, close } = await listen(server, host)
  return {
    baseUrl: `http://${host}:${port}/v1`,
    requests,
    on: (phrase, replies) => void script.set(phrase, replies),
    close,
  }
}
