import { once } from 'node:events'
import { createServer } from 'node:http'

/** A model on this machine, for us and for the peers: it says one word to whatever it is asked. */
export async function startModel(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const say = (delta: object, finish_reason: string | null): void => {
        const choices = [{ index: 0, delta, finish_reason }]
        response.write(
          `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, choices })}\n\n`,
        )
      }
      say({ role: 'assistant', content: 'hello' }, null)
      say({}, 'stop')
      response.end('data: [DONE]\n\n')
    })
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
