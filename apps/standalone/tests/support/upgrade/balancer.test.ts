import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { portOf } from '../platform/ports.ts'
import { waitFor } from '../wait-for.ts'
import { type Balancer, startBalancer } from './balancer.ts'

let balancer: Balancer
let servers: Server[] = []
let refused = 0

beforeEach(async () => {
  balancer = await startBalancer()
})
afterEach(async () => {
  await balancer.close()
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
  servers = []
})

/** A process that is ready, and does this with each request. */
async function backend(name: string, serve: RequestListener, isReady = () => true): Promise<void> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url !== '/readyz') return serve(incoming, outgoing)
    return outgoing.writeHead(isReady() ? 200 : 503).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  const port = portOf(server)
  balancer.add({ name, port, internal: `http://127.0.0.1:${port}` })
}

/** Once requests are sent on; those that were refused until then are counted. */
async function answered(): Promise<void> {
  await waitFor('it sends requests on', async () => (await ask('/first')).status !== 503)
  refused = balancer.failed.length
}

async function ask(path: string) {
  const asked = request({ host: '127.0.0.1', port: balancer.port, path, agent: false }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, asked, answer }
}

describe('a process that dies in the middle of an answer', () => {
  const ends: Readonly<Record<string, (socket: Socket) => void>> = {
    'closes its connection': (socket) => socket.end(),
    'resets its connection': (socket) => socket.resetAndDestroy(),
    'says what is no HTTP': (socket) => socket.write('this is the size of no chunk\r\n'),
  }
  test.each(Object.keys(ends))('%s: the answer is cut, and counted', async (how) => {
    await backend('api 1', ({ socket, url }, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      if (url === '/first') outgoing.end()
      else setTimeout(() => ends[how]?.(socket), 20)
    })
    await answered()
    const { status, answer } = await ask('/stream')
    expect(status).toBe(200)
    await expect(text(answer)).rejects.toThrow('aborted')
    await expect.poll(() => balancer.open()).toEqual([])
    expect(balancer.failed.slice(refused)).toMatchObject([{ backend: 'api 1', request: 'GET /stream' }])
  })
})

test('a request that has no answer yet is open, and ends with its client', async () => {
  let closed = 0
  await backend('api 1', ({ url }, outgoing) => {
    if (url === '/first') return outgoing.end()
    return outgoing.on('close', () => (closed += 1)).flushHeaders()
  })
  await answered()
  const { asked, answer } = await ask('/stream')
  expect(balancer.open()).toEqual([expect.stringMatching(/^GET \/stream at api 1 for [\d.]+ s$/)])
  answer.on('error', () => undefined)
  asked.destroy()
  await waitFor('its process has it no more', () => closed === 1)
  await expect.poll(() => balancer.open()).toEqual([])
  expect(balancer.failed.slice(refused)).toEqual([])
})

test('a process that is no longer ready gets no request', async () => {
  let isReady = true
  const at: string[] = []
  const serve =
    (name: string): RequestListener =>
    (_incoming, outgoing) => {
      at.push(name)
      outgoing.end()
    }
  await backend('api 1', serve('api 1'), () => isReady)
  await backend('api 2', serve('api 2'))
  await waitFor('both get some', async () => {
    await ask('/')
    return new Set(at).size === 2
  })
  isReady = false
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  at.length = 0
  for (let n = 0; n < 4; n += 1) await ask('/')
  expect(new Set(at)).toEqual(new Set(['api 2']))
})
