import { once } from 'node:events'
import { createServer } from 'node:http'
import { portOf } from '../platform/ports.ts'

interface AskedOfProvider {
  readonly path: string
  readonly key: string | null
  readonly model: string
}

export interface ListingProvider {
  readonly origin: string
  /** The calls of models, not the lists. */
  readonly asked: readonly AskedOfProvider[]
  close(): Promise<void>
}

const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', stop_reason: 'end_turn' },
  content: [{ type: 'text', text: 'It is done.' }],
  usage: { input_tokens: 10, output_tokens: 3 },
}
const chat = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1 },
  choices: [{ index: 0, message: { role: 'assistant', content: 'It is done.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
}

/** A provider that lists its models, and answers in OpenAI's dialect and in Anthropic's. */
export async function listingProvider(models: readonly string[]): Promise<ListingProvider> {
  const asked: AskedOfProvider[] = []
  const server = createServer((req, res) => {
    let text = ''
    req.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    req.on('end', () => {
      res.setHeader('content-type', 'application/json')
      const path = req.url?.split('?')[0] ?? ''
      if (req.method === 'GET') {
        const data = models.map((id) => ({ id, object: 'model', type: 'model', display_name: id }))
        return res.end(JSON.stringify({ object: 'list', data, has_more: false }))
      }
      const model = String(Object(JSON.parse(text)).model)
      const key = req.headers['x-api-key'] ?? req.headers.authorization ?? null
      asked.push({ path, key: key === null ? null : String(key), model })
      return res.end(JSON.stringify({ ...(path.endsWith('/messages') ? message : chat), model }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    asked,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
