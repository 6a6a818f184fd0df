import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { askDaemon } from '../../src/sandboxes/daemon-client.ts'

// An agent may put a program of its own in the place of its daemon: no worker of the platform waits for it for ever.
test.each([
  ['another protocol, unasked', 'HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 60_000],
  ['the beginning of an answer', 'HTTP/1.1 200 Yes\r\ncontent-length: 100\r\n\r\n{', 500],
  ['a status that no server may send, and no end', 'HTTP/1.1 099 No\r\n\r\n', 500],
  ['no HTTP', 'hello\r\n\r\n', 60_000],
])('a daemon that answers with %s is an error', async (_what, answer, timeout_ms) => {
  const daemon = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(answer))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void daemon.close())
  await once(daemon, 'listening')
  const url = `http://127.0.0.1:${Object(daemon.address()).port}`
  await expect(askDaemon({ url }, { method: 'GET', path: '/health', timeout_ms })).rejects.toThrow()
})
