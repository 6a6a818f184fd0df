import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { type Authority, authorityText } from './authority.ts'
import { EgressRefusal } from './egress-refusal.ts'
import { createHttpProxy } from './http-proxy.ts'

const host = '127.0.0.1'
const opened: Server[] = []
const sockets = new Set<Socket>()

afterEach(() => {
  for (const server of opened.splice(0)) server.close()
  for (const socket of sockets) socket.destroy()
})

async function listen(server: Server): Promise<number> {
  opened.push(server)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  })
  server.listen(0, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Notes every target; `closed.example` is refused, `away.example` does not answer, all others are one server. */
function proxyTo(port: number) {
  const asked: string[] = []
  const dialled: Socket[] = []
  const proxy = createHttpProxy(async (_client, target: Authority) => {
    asked.push(authorityText(target))
    if (target.host === 'closed.example') throw new EgressRefusal('it is closed')
    if (target.host === 'away.example') throw new Error('connect ECONNREFUSED')
    const socket = connect({ host, port, allowHalfOpen: true })
    dialled.push(socket)
    await once(socket, 'connect')
    return socket
  })
  // Connections come from a listener of another kind, as a relay's.
  const door = createServer({ allowHalfOpen: true }, (socket) => void proxy.emit('connection', socket))
  return { asked, dialled, door, listening: listen(door) }
}

async function opening(answer: RequestListener | Server) {
  const upstream = typeof answer === 'function' ? createHttpServer(answer) : answer
  const parts = proxyTo(await listen(upstream))
  return { ...parts, port: await parts.listening }
}

async function send(port: number, words: string): Promise<Socket> {
  const socket = connect({ host, port, allowHalfOpen: true })
  sockets.add(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(words)
  return socket
}

const ask = async (port: number, words: string): Promise<string> => text(await send(port, words))

/** Says all that it has to say, and hears the rest. */
async function askAndEnd(port: number, words: string): Promise<string> {
  const socket = await send(port, words)
  socket.end()
  return text(socket)
}

const gone = async (socket: Socket | undefined): Promise<void> => {
  if (socket !== undefined && !socket.destroyed) await once(socket, 'close')
}

describe('CONNECT', () => {
  it('passes both ways, each to its own end', async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => {
      const all: Buffer[] = []
      socket.on('data', (data) => all.push(data)).on('end', () => socket.end(Buffer.concat(all)))
    })
    const { port, asked } = await opening(echo)
    const heard = await askAndEnd(
      port,
      'CONNECT a.example:443 HTTP/1.1\r\nhost: a.example\r\n\r\nfirst words',
    )
    expect(heard).toBe('HTTP/1.1 200 Connection established\r\n\r\nfirst words')
    expect(asked).toEqual(['a.example:443'])
  })

  it.each(['a.example:80', 'a.example:8443', '[2001:db8::1]:80'])(
    'keeps to the port of %s',
    async (target) => {
      const { port, asked } = await opening(createServer((socket) => socket.end()))
      await ask(port, `CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\n`)
      expect(asked).toEqual([target])
    },
  )

  it.each([
    ['closed.example:443', 403, 'This sandbox may not reach closed.example:443: it is closed'],
    ['away.example:443', 502, 'away.example:443 does not answer'],
    ['a.example', 400, 'This is no host and port'],
  ])('refuses %s in words', async (target, status, words) => {
    const { port } = await opening(() => undefined)
    const heard = await ask(port, `CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\n`)
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(heard).toContain(`\r\ncontent-length: ${words.length + 1}\r\n`)
    expect(heard.endsWith(`\r\n\r\n${words}\n`)).toBe(true)
  })

  it('is rid of a client that was refused and left', async () => {
    const { port, door } = await opening(() => undefined)
    const served = once(door, 'connection')
    const client = await send(port, 'CONNECT closed.example:443 HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(client, 'data')
    client.destroy()
    const [socket]: Socket[] = await served
    await gone(socket)
  })
})

describe('a whole address', () => {
  it('is asked as its own host, by headers of the request alone', async () => {
    const { port, asked } = await opening((incoming, response) => {
      response.setHeader('x-kept', '1').setHeader('keep-alive', 'timeout=99')
      response.end(JSON.stringify({ url: incoming.url, ...incoming.headers }))
    })
    const heard = await ask(
      port,
      'GET http://a.example/path?x=1 HTTP/1.1\r\nhost: other.example\r\nconnection: close, x-hop\r\nx-hop: 1\r\nx-mine: 1\r\n\r\n',
    )
    expect(asked).toEqual(['a.example:80'])
    expect(heard).toContain('x-kept: 1')
    expect(heard).not.toContain('timeout=99')
    const seen: unknown = JSON.parse(/\{.*\}/.exec(heard)?.[0] ?? 'null')
    expect(seen).toEqual({ url: '/path?x=1', host: 'a.example', 'x-mine': '1', connection: 'close' })
  })

  it('has a connection of its own, whatever the client asked before', async () => {
    const { port, asked, dialled } = await opening((_incoming, response) => response.end('well'))
    const one = (name: string, more = '') => `GET http://${name}/ HTTP/1.1\r\nhost: ${name}\r\n${more}\r\n`
    const last = one('b.example:81', 'connection: close\r\n')
    const heard = await ask(port, one('a.example') + one('a.example') + last)
    expect(heard.match(/HTTP\/1.1 200 OK/g)).toHaveLength(3)
    expect(asked).toEqual(['a.example:80', 'a.example:80', 'b.example:81'])
    await Promise.all(dialled.map(gone))
    expect(dialled).toHaveLength(3)
  })

  it.each([
    ['http://closed.example/', 403, 'This sandbox may not reach closed.example:80: it is closed'],
    ['http://away.example/', 502, 'away.example:80 does not answer'],
    ['/path', 400, 'This is a proxy: ask it for whole http:// addresses'],
    ['https://a.example/', 400, 'This is a proxy: ask it for whole http:// addresses'],
  ])('refuses %s in words', async (url, status, words) => {
    const { port } = await opening(() => undefined)
    const heard = await ask(port, `GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(heard).toContain(`${words}\n`)
  })

  it.each([
    ['goes away', (socket: Socket) => void socket.destroy()],
    ['resets', (socket: Socket) => void socket.resetAndDestroy()],
    ['speaks no HTTP', (socket: Socket) => void socket.end('220 mail.example ESMTP\r\n')],
    ['answers a status that is none', (socket: Socket) => void socket.end('HTTP/1.1 099 No\r\n\r\n')],
    [
      'changes to another protocol',
      (socket: Socket) =>
        void socket.write('HTTP/1.1 101 Now\r\nconnection: upgrade\r\nupgrade: other\r\n\r\nx'),
    ],
  ])('that %s does not answer', async (_, behave) => {
    const upstream = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => setTimeout(() => behave(socket), 20))
    })
    const { port } = await opening(upstream)
    const heard = await ask(port, 'GET http://a.example/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect(heard).toMatch(/^HTTP\/1.1 502 /)
    expect(heard).toContain('a.example:80 does not answer\n')
  })

  it('is let go when the client leaves before the answer', async () => {
    const upstream = createHttpServer()
    const reached = once(upstream, 'request')
    const { port, dialled } = await opening(upstream)
    const client = await send(port, 'GET http://a.example/ HTTP/1.1\r\nhost: a.example\r\n\r\n')
    await reached
    client.destroy()
    await gone(dialled[0])
  })

  it('that breaks off in its answer breaks the answer off', async () => {
    const upstream = createServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')
        setTimeout(() => socket.destroy(), 20)
      })
    })
    const { port } = await opening(upstream)
    const client = await send(port, 'GET http://a.example/ HTTP/1.1\r\nhost: a.example\r\n\r\n')
    expect(await text(client)).toMatch(/\r\nhalf$/)
  })

  it('may answer before it has read the request', async () => {
    const upstream = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.pause().write('HTTP/1.1 413 Too Large\r\ncontent-length: 4\r\nconnection: close\r\n\r\nless')
        })
    })
    const { port } = await opening(upstream)
    const client = await send(
      port,
      'POST http://a.example/ HTTP/1.1\r\nhost: a.example\r\ncontent-length: 99999999\r\n\r\nsome',
    )
    const [data] = await once(client, 'data')
    expect(String(data)).toMatch(/^HTTP\/1.1 413 /)
    client.destroy()
  })
})
