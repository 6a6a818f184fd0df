import { once } from 'node:events'
import { createServer } from 'node:http'

/** A model that says one word to whatever it is asked, for as long as a prewarming takes. */
export async function openStubModel(host: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const say = (delta: object, finish_reason: string | null, more: object = {}): void => {
        const choices = [{ index: 0, delta, finish_reason }]
        const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, choices, ...more }
        response.write(`data: ${JSON.stringify(chunk)}\n\n`)
      }
      say({ role: 'assistant', content: 'Ready.' }, null)
      say({}, 'stop', { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })
      response.end('data: [DONE]\n\n')
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://${host}:${port}/v1`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
