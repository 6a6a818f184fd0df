import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { portOf } from '../platform/ports.ts'

const Chat = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string() })),
  tools: z.array(z.unknown()).optional(),
})

export interface ScriptedProvider {
  readonly base_url: string
  /** The models that it was asked for, and with which key. */
  readonly asked: readonly { readonly model: string; readonly authorization: string | undefined }[]
  close(): Promise<void>
}

/** The usage of each of its answers. */
export const usageOfAnswer = { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050 }

/** A provider of models in OpenAI's dialect: asked with tools it runs one command, and says so when it hears of its end. */
export async function scriptedProvider(command: string): Promise<ScriptedProvider> {
  const asked: { model: string; authorization: string | undefined }[] = []
  const server = createServer((req, res) => {
    let text = ''
    req.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    req.on('end', () => {
      const chat = Chat.parse(JSON.parse(text))
      asked.push({ model: chat.model, authorization: req.headers.authorization })
      answer(res, chat, command)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base_url: `http://127.0.0.1:${portOf(server)}/v1`,
    asked,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(res: ServerResponse, { model, messages, tools }: z.infer<typeof Chat>, command: string) {
  const calls = tools !== undefined && tools.length > 0 && !messages.some(({ role }) => role === 'tool')
  const run = { name: 'bash', arguments: JSON.stringify({ command, description: 'Do it' }) }
  const delta = calls
    ? { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: run }] }
    : { content: 'It is done.' }
  const chunk = (choice: object | null, more: object = {}) => {
    const choices = choice === null ? [] : [{ index: 0, ...choice }]
    const data = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices, ...more }
    res.write(`data: ${JSON.stringify(data)}\n\n`)
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  chunk({ delta: { role: 'assistant', ...delta }, finish_reason: null })
  chunk({ delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' })
  chunk(null, { usage: usageOfAnswer })
  res.end('data: [DONE]\n\n')
}
