import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { createLogger } from '@svc/boot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Place } from '../src/places/place.ts'
import { type RunningAppProxy, serveVisits } from '../src/serve-visits.ts'
import type { CountedAnswer } from '../src/visits.ts'

let proxy: RunningAppProxy
let app: Server
let place: () => Place
let looks: number
let counted: CountedAnswer[]
let bytes: number
let answer: (request: IncomingMessage, response: ServerResponse) => void

const instanceAt = (url: string): Place => ({ kind: 'instance', instance: { instance_id: url, url } })
const portOf = (server: Server): number => Object(server.address()).port

beforeEach(async () => {
  looks = 0
  counted = []
  bytes = 0
  answer = (_request, response) => response.end('hello')
  app = createServer((asked, response) => answer(asked, response)).listen(0, '127.0.0.1')
  await once(app, 'listening')
  place = () => instanceAt(`http://127.0.0.1:${portOf(app)}`)
  const find = async () => {
    looks += 1
    return place()
  }
  const log = createLogger({ name: 'app-proxy', level: 'fatal' })
  const onAnswer = (one: CountedAnswer) => void counted.push(one)
  const onBytes = (_app_id: string, more: number) => void (bytes += more)
  proxy = await serveVisits({ log, find, onAnswer, onBytes }, { host: '127.0.0.1', port: 0 })
})

afterEach(async () => {
  await proxy.close(AbortSignal.abort())
  app.closeAllConnections()
  app.close()
})

const visit = (path = '/', options: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${proxy.port}${path}`, options)

/** Sends bytes as they are, and reads until the connection ends or `enough`. */
async function raw(bytes: string, enough: (seen: string) => boolean = () => false): Promise<string> {
  const socket = connect(proxy.port, '127.0.0.1')
  socket.write(bytes)
  let seen = ''
  for await (const chunk of socket) {
    seen += String(chunk)
    if (enough(seen)) break
  }
  socket.destroy()
  return seen
}

describe('a visit of an app', () => {
  it('carries a body both ways, larger than any buffer', async () => {
    answer = (asked, response) => asked.pipe(response.writeHead(201, { 'x-own': '1' }))
    const body = Buffer.alloc(8 * 1024 * 1024, 'x')
    const answered = await visit('/up?a=1', { method: 'POST', body })
    expect([answered.status, answered.headers.get('x-own')]).toEqual([201, '1'])
    expect(Buffer.from(await answered.arrayBuffer()).equals(body)).toBe(true)
  })

  it('shows each event as it comes', async () => {
    let last: ServerResponse | null = null
    answer = (_asked, response) => {
      last = response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
    }
    const answered = await visit()
    const reader = answered.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n')
    Object(last).end('data: 2\n\n')
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 2\n\n')
  })

  it('shows the head of an answer that has no body yet', async () => {
    answer = (_asked, response) => response.writeHead(202, { 'x-soon': '1' }).flushHeaders()
    const answered = await visit()
    expect([answered.status, answered.headers.get('x-soon')]).toEqual([202, '1'])
    await answered.body?.cancel()
  })

  it('ends at the app when the visitor leaves', async () => {
    const left = new Promise((resolve) => {
      answer = (_asked, response) => {
        response.write('x')
        response.once('close', resolve)
      }
    })
    const leaving = new AbortController()
    await visit('/', { signal: leaving.signal })
    leaving.abort()
    await left
  })

  it('reaches an app by its unix socket', async () => {
    const path = join(tmpdir(), `svc-${randomUUID()}.sock`)
    const other = createServer((asked, response) => response.end(`at ${asked.url}`)).listen(path)
    await once(other, 'listening')
    place = () => instanceAt(`unix://${path}`)
    expect(await (await visit('/deep')).text()).toBe('at /deep')
    other.closeAllConnections()
    other.close()
  })

  it('asks the new instance when the old one is not there, body and all', async () => {
    answer = (asked, response) => asked.pipe(response)
    const there = place
    place = () => (looks === 1 ? instanceAt('http://127.0.0.1:1') : there())
    const answered = await visit('/', { method: 'POST', body: 'kept' })
    expect([answered.status, await answered.text(), looks]).toEqual([200, 'kept', 2])
  })

  it('asks once more for what may be repeated alone', async () => {
    let asks = 0
    answer = (asked) => {
      asks += 1
      asked.socket.destroy()
    }
    const shown = await visit()
    expect([shown.status, await shown.json(), asks]).toEqual([
      502,
      expect.objectContaining({ code: 'app_unreachable' }),
      2,
    ])
    asks = 0
    expect([(await visit('/', { method: 'POST', body: 'pay' })).status, asks]).toEqual([502, 1])
  })

  it('breaks off where the app broke off in the middle', async () => {
    answer = (asked, response) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('half', () => asked.socket.destroy())
    }
    await expect(visit().then((answered) => answered.text())).rejects.toThrow()
  })
})

describe('a refused visit', () => {
  beforeEach(() => {
    place = () => ({ kind: 'refused', code: 'app_not_found', message: 'No app <here>.' })
  })

  it('is told in the platform’s body, or as a page', async () => {
    const plain = await visit()
    expect([plain.status, plain.headers.get('cache-control')]).toEqual([404, 'no-store'])
    expect(plain.headers.get('x-request-id')).not.toBeNull()
    expect(await plain.json()).toMatchObject({ error: true, status: 404, code: 'app_not_found' })
    const page = await visit('/', { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('No app &lt;here&gt;.')
  })

  it('opens no other protocol', async () => {
    const seen = await raw(
      'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    expect(seen).toMatch(/^HTTP\/1\.1 404 [^]*app_not_found/)
  })
})

describe('an app that answers with what no server may', () => {
  it.each([
    ['a status below all', 'HTTP/1.1 099 No\r\ncontent-length: 5\r\n\r\nwords'],
    ['another protocol, unasked', 'HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('%s is a bad gateway, and the proxy goes on', async (_what, words) => {
    answer = (_request, response) => void response.socket?.write(words)
    expect((await visit()).status).toBe(502)
    answer = (_request, response) => response.end('hello')
    expect(await (await visit()).text()).toBe('hello')
  })
})

describe('another protocol', () => {
  const ask =
    'GET /ws HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nCookie: svc_app=s\r\n\r\n'

  it('is bytes both ways once the app agreed', async () => {
    app.on('upgrade', (asked: IncomingMessage, socket) => {
      expect(asked.headers.cookie).toBeUndefined()
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.pipe(socket)
    })
    const seen = await raw(`${ask}ping`, (read) => read.endsWith('ping'))
    expect(seen).toMatch(/^HTTP\/1\.1 101 [^]*\r\n\r\nping$/)
  })

  it('is asked for again where the instance is not there any more, and refused where none is', async () => {
    app.on('upgrade', (_asked: IncomingMessage, socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    })
    const there = place
    place = () => (looks === 1 ? instanceAt('http://127.0.0.1:1') : there())
    expect(await raw(ask)).toMatch(/^HTTP\/1\.1 101 /)
    expect(looks).toBe(2)
    place = () => instanceAt('http://127.0.0.1:1')
    expect(await raw(ask)).toMatch(/^HTTP\/1\.1 502 [^]*app_unreachable/)
  })

  it('is counted as it is answered, and its bytes once it ended', async () => {
    const there = place
    const limit = { app_id: 'one', max: 10 }
    place = () => ({ ...(there() as Extract<Place, { kind: 'instance' }>), limit })
    app.on('upgrade', (_asked: IncomingMessage, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.pipe(socket)
    })
    await raw(`${ask}ping`, (read) => read.endsWith('ping'))
    expect(counted).toEqual([{ app_id: 'one', status: 101, bytes: 0, ms: expect.any(Number) }])
    await expect.poll(() => bytes).toBeGreaterThan('HTTP/1.1 101 Switching Protocols'.length)
  })

  it('lets nothing through after the app refused it', async () => {
    const paths: (string | undefined)[] = []
    answer = (asked, response) => {
      paths.push(asked.url)
      response.writeHead(403).end('no')
    }
    const seen = await raw(`${ask}GET /smuggled HTTP/1.1\r\nHost: a.test\r\n\r\n`)
    expect(seen).toMatch(/^HTTP\/1\.1 403 /)
    expect(paths).toEqual(['/ws'])
  })
})

it.each([
  'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd',
  'POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'GET / HTTP/1.1\r\nHost : a.test\r\n\r\n',
])('refuses framing that can be read in two ways: %j', async (bytes) => {
  expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 400 /)
  expect(looks).toBe(0)
})

it('lets requests under way end before it closes', async () => {
  const begun = new Promise<ServerResponse>((resolve) => {
    answer = (_asked, response) => resolve(response)
  })
  const answered = once(request({ port: proxy.port, agent: false }).end(), 'response')
  const response = await begun
  const closed = proxy.close()
  response.end('done')
  expect(Object((await answered)[0]).statusCode).toBe(200)
  await closed
})
