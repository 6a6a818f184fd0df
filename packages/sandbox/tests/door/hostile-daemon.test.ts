import { once } from 'node:events'
import { request } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openIngress } from '../../src/testing/ingress.ts'

// An agent may put a program of its own in the place of its daemon; the door is one for all sandboxes of a machine.
test.each([
  ['a status that no server may send', 'HTTP/1.1 099 No\r\ncontent-length: 0\r\n\r\n'],
  ['no status', 'HTTP/1.1 000 No\r\ncontent-length: 0\r\n\r\n'],
  [
    'another protocol, unasked',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  ],
  ['no HTTP', 'hello\r\n\r\n'],
])('a sandbox that answers with %s is cut off, and the door goes on', async (_what, answer) => {
  let said = answer
  const sandbox = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(said))
  }).listen(0, '127.0.0.1')
  await once(sandbox, 'listening')
  const { port }: AddressInfo = Object(sandbox.address())
  const ingress = await openIngress(async () => ({ url: `http://127.0.0.1:${port}`, headers: {} }))
  onTestFinished(async () => {
    await ingress.close()
    sandbox.close()
  })
  const { url, headers, ca } = ingress.outside('sbx_1')
  const status = async () => {
    const asked = request(`${url}/svc/health`, { headers, ca, agent: false }).end()
    const [response] = await once(asked, 'response')
    response.resume()
    return response.statusCode
  }
  await expect(status()).rejects.toThrow('socket hang up')
  said = 'HTTP/1.1 204 Yes\r\n\r\n'
  expect(await status()).toBe(204)
})
