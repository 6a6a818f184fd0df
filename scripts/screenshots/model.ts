import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** One answer of the model: words, and at most one tool to call after them. */
export interface Step {
  readonly say?: string
  readonly tool?: string
  readonly input?: object
}

/** Steps of the model for a prompt, found by words that stand in it. */
export type Story = Readonly<Record<string, readonly Step[]>>

interface Message {
  readonly role: string
  readonly content?: unknown
}

const pieceChars = 12
const pieceMs = 8

/** An OpenAI-compatible model that follows a written story, so that pictures of a session show the same work each time. */
export async function startModel(story: Story): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void read(request).then((text) => answer(response, stepOf(JSON.parse(text), story)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += String(part)
  return text
}

function stepOf({ messages }: { readonly messages: readonly Message[] }, story: Story): Step {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const prompt = JSON.stringify(messages[asked]?.content ?? '')
  const steps = Object.entries(story).find(([words]) => prompt.includes(words))?.[1] ?? []
  const done = messages.slice(asked).filter(({ role }) => role === 'tool').length
  return steps[done] ?? { say: 'Done.' }
}

async function answer(response: ServerResponse, { say = '', tool, input }: Step): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finish_reason: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason }]
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, choices })}\n\n`,
    )
  }
  send({ role: 'assistant', content: '' })
  for (let at = 0; at < say.length; at += pieceChars) {
    send({ content: say.slice(at, at + pieceChars) })
    await sleep(pieceMs)
  }
  if (tool !== undefined) {
    const called = { name: tool, arguments: JSON.stringify(input ?? {}) }
    send({ tool_calls: [{ index: 0, id: `call_${Date.now()}`, type: 'function', function: called }] })
  }
  send({}, tool === undefined ? 'stop' : 'tool_calls')
  const usage = { prompt_tokens: 4_100, completion_tokens: 380, total_tokens: 4_480 }
  response.write(
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [], usage })}\n\n`,
  )
  response.end('data: [DONE]\n\n')
}
