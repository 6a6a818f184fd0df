import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { expect, test } from 'vitest'
import { sendTogether } from './send-together.ts'

test('the head waits for the first event, and for nothing that comes after it', async () => {
  const held: number[] = []
  const server = createServer((_, res) => {
    sendTogether(res)
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    // As the HTTP adapter writes a stream: the rest of a short answer follows within the same tick.
    void Promise.resolve().then(() => {
      res.flushHeaders()
      held.push(res.writableCorked)
      res.write('data: 1\n\n')
      held.push(res.writableCorked)
      res.write('data: 2\n\n')
      res.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asked = request({ host: '127.0.0.1', port: Object(server.address()).port }).end()
  const [answer] = await once(asked, 'response')
  let text = ''
  for await (const piece of answer) text += String(piece)
  server.close()
  expect(held).toEqual([1, 0])
  expect(text).toBe('data: 1\n\ndata: 2\n\n')
})

test('a head without an event leaves by itself', async () => {
  const server = createServer((_, res) => {
    sendTogether(res)
    res.writeHead(200)
    res.flushHeaders()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asked = request({ host: '127.0.0.1', port: Object(server.address()).port }).end()
  const [answer] = await once(asked, 'response')
  expect(answer.statusCode).toBe(200)
  answer.destroy()
  server.close()
})
