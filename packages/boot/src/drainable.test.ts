import { once } from 'node:events'
import { createServer, request, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { drainable } from './drainable.ts'

async function listening(answer: RequestListener) {
  const server = createServer(answer)
  const drain = drainable(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, drain, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

test('a connection that never asked for anything holds nothing up', async () => {
  const { server, drain, port } = await listening((_req, res) => res.end())
  const silent = connect(port, '127.0.0.1')
  await once(server, 'connection')
  const ended = once(silent, 'close')
  await drain(60_000)
  await ended
})

test('a request that runs is answered first', async () => {
  let answer = () => {}
  const { server, drain, port } = await listening((_req, res) => {
    answer = () => res.end('done')
  })
  const outgoing = request({ port, host: '127.0.0.1' }).end()
  await once(server, 'request')
  const drained = drain(60_000)
  answer()
  const [incoming] = await once(outgoing, 'response')
  expect(String((await once(incoming, 'data'))[0])).toBe('done')
  await drained
})

test('a request that does not end is cut off', async () => {
  const { server, drain, port } = await listening(() => undefined)
  const outgoing = request({ port, host: '127.0.0.1' }).end()
  await once(server, 'request')
  const cut = once(outgoing, 'error')
  await drain(1)
  await cut
})
