import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { noUpgrade } from './no-upgrade.ts'

test('a server that changes the protocol unasked is an error, and not waited for', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write('HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const asked = noUpgrade(
    request({ host: '127.0.0.1', port: Object(server.address()).port, agent: false }),
  ).end()
  await expect(once(asked, 'response')).rejects.toThrow('The protocol was changed unasked')
})
