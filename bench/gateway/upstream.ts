import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

/** A provider of chat completions that says at once what it is told to in the prompt: `<pieces> <pause in ms>`. */
const Asked = z.looseObject({ messages: z.array(z.looseObject({ content: z.string() })) })
const piece = (content: string) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm1', choices: [{ index: 0, delta: { content } }] })}\n\n`
const words = piece('eight words are written with each of these ')
const end = `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`
const usage = `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm1', choices: [], usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } })}\n\n`

async function stream(res: ServerResponse, pieces: number, pause_ms: number): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let n = 0; n < pieces; n += 1) {
    if (res.destroyed) return
    if (!res.write(words)) await once(res, 'drain')
    if (pause_ms > 0) await sleep(pause_ms)
  }
  res.end(`${end}${usage}data: [DONE]\n\n`)
}

const server = createServer((req, res) => {
  let text = ''
  req.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  req.on('end', () => {
    const [pieces = 1, pause_ms = 0] = (Asked.parse(JSON.parse(text)).messages[0]?.content ?? '')
      .split(' ')
      .map(Number)
    void stream(res, pieces, pause_ms)
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = z.object({ port: z.number() }).parse(server.address())
process.send?.({ port })
for (const ended of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(ended, () => process.exit(0))
