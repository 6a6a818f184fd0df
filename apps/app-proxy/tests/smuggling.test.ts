import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { createLogger } from '@svc/boot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningAppProxy, serveVisits } from '../src/serve-visits.ts'

let proxy: RunningAppProxy
let app: Server
/** Requests that the app was asked, by their targets. */
let asked: string[]

beforeEach(async () => {
  asked = []
  app = createServer((visit, response) => {
    asked.push(visit.url ?? '')
    visit.on('error', () => undefined)
    visit.resume().on('end', () => response.end('taken'))
  }).listen(0, '127.0.0.1')
  await once(app, 'listening')
  const url = `http://127.0.0.1:${Object(app.address()).port}`
  const log = createLogger({ name: 'app-proxy', level: 'fatal' })
  const find = async () => ({ kind: 'instance', instance: { instance_id: url, url } }) as const
  proxy = await serveVisits({ log, find }, { host: '127.0.0.1', port: 0 })
})

afterEach(async () => {
  await proxy.close(AbortSignal.abort())
  app.closeAllConnections()
  app.close()
})

/** All that a connection is answered, until it ends or is silent for a while. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(proxy.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.setTimeout(300, () => socket.end())
  socket.write(bytes, 'latin1')
  let seen = ''
  for await (const chunk of socket) seen += String(chunk)
  return seen
}

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a.test\r\n\r\n'
const post = 'POST / HTTP/1.1\r\nHost: a.test\r\n'
const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`

describe('a request that hides another', () => {
  it.each([
    ['both lengths', `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    [
      'both, the other way round',
      `${post}Transfer-Encoding: chunked\r\nContent-Length: ${chunk.length}\r\n\r\n${chunk}`,
    ],
    ['two lengths', `${post}Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
    ['a list of lengths', `${post}Content-Length: 0, ${smuggled.length}\r\n\r\n${smuggled}`],
    ['a length with a sign', `${post}Content-Length: +0\r\n\r\n${smuggled}`],
    ['a length in hex', `${post}Content-Length: 0x0\r\n\r\n${smuggled}`],
    ['a negative length', `${post}Content-Length: -1\r\n\r\n${smuggled}`],
    [
      'chunked twice',
      `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ['chunked beside identity', `${post}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunked with a tab', `${post}Transfer-Encoding:\tchunked\x0b\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a space before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a folded line', `${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a size that is none', `${post}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${smuggled}`],
    ['a size that is too large', `${post}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\n${smuggled}`],
    [
      'a chunk that is longer than it says',
      `${post}Transfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n0\r\n\r\n${smuggled}`,
    ],
    ['a line that ends too early', `${post}X-A: 1\n\n${smuggled}`],
    ['a bare return', `${post}X-A: 1\rContent-Length: 5\r\n\r\n${smuggled}`],
    ['a zero byte', `${post}X-A: \0\r\n\r\n${smuggled}`],
    ['no path', `OPTIONS * HTTP/1.1\r\nHost: a.test\r\n\r\n${smuggled}`],
    ['the address of another', `GET http://b.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n${smuggled}`],
    [
      'two protocols',
      `GET / HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${smuggled}`,
    ],
  ])('%s is refused, and nothing behind it is read', async (_, bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 400 /)
    expect(asked).toEqual([])
  })

  it.each([
    [
      'an extension of a chunk',
      `${post}Transfer-Encoding: chunked\r\n\r\n${chunk.replace('\r\n', ';a=b\r\n')}`,
    ],
    ['a trailer', `${post}Transfer-Encoding: chunked\r\n\r\n${chunk.slice(0, -2)}X-A: 1\r\n\r\n`],
    ['a body', `${post}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
    [
      'a body of GET',
      `GET / HTTP/1.1\r\nHost: a.test\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    ],
    ['a second host', `${post}Host: b.test\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
  ])('%s is one request at the app', async (_, bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 (?:200|400) /)
    expect(asked.filter((path) => path !== '/')).toEqual([])
    expect(asked.length).toBeLessThan(2)
  })
})
