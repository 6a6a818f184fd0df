import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { connectTo } from './connect-to.ts'

const host = '127.0.0.1'

async function closedPort() {
  const server = createServer((socket) => socket.end('hello'))
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server.close()
  await once(server, 'close')
  return { server, port }
}

test('a platform that starts anew is waited for', async () => {
  const { server, port } = await closedPort()
  const connecting = connectTo({ host, port }, [host], 30_000)
  setTimeout(() => server.listen(port, host), 300)
  const socket = await connecting
  expect(String((await once(socket, 'data'))[0])).toBe('hello')
  socket.destroy()
  server.close()
})

test('what is not the platform is told at once that it refuses', async () => {
  const { port } = await closedPort()
  const started = Date.now()
  await expect(connectTo({ host, port }, [host])).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await expect(connectTo({ host, port }, [host], 0)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(Date.now() - started).toBeLessThan(5_000)
})
