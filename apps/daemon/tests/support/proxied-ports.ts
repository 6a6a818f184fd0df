import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { listen } from './listen.ts'
import type { Sandbox } from './sandbox.ts'

/** The ways to programs in a sandbox by their ports, tried in the sandbox of another file: a start costs more than they do. */
export function testProxiedPorts(sandbox: () => Sandbox): void {
  const asUser = (role: 'owner' | 'viewer' = 'owner') => ({
    'x-svc-user-context': sandbox().userContext(role),
    authorization: '',
  })
  const get = (path: string) => sandbox().call(path, { headers: asUser() })

  test('ports are proxied: HTTP, streams and WebSockets; the daemon’s own are not', async () => {
    const { address } = sandbox()
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['x-svc-user-context'] ?? 'no context'}`)
      response.setHeader('x-here', 'yes')
      request.pipe(response)
    })
    const sockets = new WebSocketServer({ server })
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`echo ${String(data)}`)))
    const { port, close } = await listen(server, address)
    try {
      const answer = await sandbox().call(`/proxy/${port}/a%20b?x=1`, {
        method: 'POST',
        body: { y: 2 },
        headers: asUser('viewer'),
      })
      expect(answer).toMatchObject({ status: 200, body: { y: 2 } })
      expect(answer.headers.get('x-here')).toBe('yes')
      expect(seen).toEqual([`POST /a%20b?x=1 no context`])

      const socket = new WebSocket(
        `ws://${address}:8000/proxy/${port}/ws?__svc_user_context=${sandbox().userContext()}`,
      )
      const echo = await new Promise<string>((resolve, reject) => {
        socket.on('open', () => socket.send('hi'))
        socket.on('message', (data) => resolve(String(data)))
        socket.on('error', reject)
      })
      expect(echo).toBe('echo hi')
      socket.close()

      const refused = new WebSocket(`ws://${address}:8000/proxy/${port}/ws`)
      await expect(new Promise((_, reject) => refused.on('error', reject))).rejects.toThrow('401')
    } finally {
      await close()
    }
    for (const own of [22, 8000, 4096, '08000']) expect((await get(`/proxy/${own}/`)).status).toBe(403)
    expect((await get('/proxy/70000/')).status).toBe(400)
    expect(await get(`/proxy/${port}/`)).toMatchObject({
      status: 502,
      body: {
        message: `Nothing listens on port ${port}; start the program in the sandbox first`,
        code: 'nothing_listens',
      },
    })
  })

  test.each([
    ['changes the protocol unasked', '101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade'],
    ['answers a status that no server may send', '099 No\r\nconnection: close'],
  ])('a program that %s is answered for', async (_, head) => {
    const server = createServer((request) => {
      request.socket.end(`HTTP/1.1 ${head}\r\n\r\nraw`)
    })
    const { port, close } = await listen(server, sandbox().address)
    try {
      const answer = await get(`/proxy/${port}/`)
      expect(answer).toMatchObject({ status: 502, body: { code: 'sandbox_unreachable' } })
    } finally {
      await close()
    }
  })
}
