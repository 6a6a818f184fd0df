import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { connect } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { createLogger } from '@svc/boot'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { type RunningAppProxy, serveVisits } from '../src/serve-visits.ts'

let proxy: RunningAppProxy
let app: Server
let at: string
/** Requests that the app was asked, by their targets. */
let asked: string[]

beforeEach(async () => {
  asked = []
  app = createServer({ maxHeaderSize: 64 * 1024 }, async (visit, response) => {
    asked.push(visit.url ?? '')
    if (visit.url === '/large')
      return void pipeline(Readable.from(gibibyte()), response).catch(() => undefined)
    let bytes = 0
    visit.on('error', () => undefined)
    visit.on('data', (chunk: Buffer) => (bytes += chunk.length))
    visit.on('end', () => response.end(`took ${bytes}`))
  }).listen(0, '127.0.0.1')
  await once(app, 'listening')
  at = `http://127.0.0.1:${Object(app.address()).port}`
  const log = createLogger({ name: 'app-proxy', level: 'fatal' })
  const find = async () => ({ kind: 'instance', instance: { instance_id: at, url: at } }) as const
  proxy = await serveVisits({ log, find }, { host: '127.0.0.1', port: 0 })
})

afterEach(async () => {
  await proxy.close(AbortSignal.abort())
  app.closeAllConnections()
  app.close()
})

const visit = (path = '/', method = 'GET', headers: Record<string, string> = {}) =>
  request({ port: proxy.port, path, method, headers: { host: 'a.test', ...headers }, agent: false })

const MiB = 1024 * 1024
const gib = 1024 * MiB
const piece = Buffer.alloc(MiB, 'x')
function* gibibyte() {
  for (let sent = 0; sent < gib; sent += MiB) yield piece
}

it('takes a head of 32 KiB, and refuses a longer one', async () => {
  const [fits] = await once(visit('/', 'GET', { 'x-long': 'x'.repeat(31 * 1024) }).end(), 'response')
  expect(fits.resume().statusCode).toBe(200)
  const [long] = await once(visit('/', 'GET', { 'x-long': 'x'.repeat(33 * 1024) }).end(), 'response')
  expect([long.resume().statusCode, asked]).toEqual([431, ['/']])
})

it('cuts off who sends a head for ever, and answers others meanwhile', async () => {
  const slow = Array.from({ length: 300 }, () => {
    const socket = connect(proxy.port, '127.0.0.1')
    socket.on('error', () => undefined).resume()
    socket.write('GET / HTTP/1.1\r\nHost: a.test\r\n')
    return socket
  })
  const drip = setInterval(() => slow.forEach((socket, n) => socket.write(`X-${n}: 1\r\n`)), 1000)
  onTestFinished(() => clearInterval(drip))
  const [other] = await once(visit().end(), 'response')
  expect([other.statusCode, await text(other)]).toEqual([200, 'took 0'])
  await expect
    .poll(() => slow.filter((socket) => !socket.destroyed).length, { timeout: 40_000, interval: 500 })
    .toBe(0)
  expect(asked).toEqual(['/'])
}, 60_000)

it('passes a gibibyte each way, and holds little of it', async () => {
  const before = process.memoryUsage.rss()
  let most = before
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50)
  onTestFinished(() => clearInterval(look))
  const up = visit('/', 'POST', { 'content-length': String(gib) })
  const answered = once(up, 'response')
  await pipeline(Readable.from(gibibyte()), up)
  expect(await text((await answered)[0])).toBe(`took ${gib}`)
  const [large] = await once(visit('/large').end(), 'response')
  let bytes = 0
  await pipeline(
    large,
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        done()
      },
    }),
  )
  expect(bytes).toBe(gib)
  expect(most - before).toBeLessThan(256 * MiB)
}, 120_000)

/** Two files for each: a process may have 20,000 on many machines. */
const many = 9_500

it('holds 9,500 WebSockets that say nothing, and answers others as before', async () => {
  const script = new URL('./support/many-sockets.mjs', import.meta.url).pathname
  const server = fork(script, ['app'])
  const [port] = await once(server, 'message')
  at = `http://127.0.0.1:${port}`
  const before = process.memoryUsage.rss()
  const visitors = fork(script, ['visitors', String(proxy.port), String(many)])
  onTestFinished(() => void [server, visitors].map((one) => one.kill('SIGKILL')))
  const [open] = await once(visitors, 'message')
  expect(open).toBe(many)
  expect((process.memoryUsage.rss() - before) / many).toBeLessThan(100 * 1024)
  const [other] = await once(visit().end(), 'response')
  expect([other.statusCode, await text(other)]).toEqual([200, 'hello'])
  visitors.send('ping')
  const [echoed] = await once(visitors, 'message')
  expect(echoed).toBe(many / 10)
}, 120_000)
