import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '@svc/boot'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type RunningAppProxy, serveVisits } from '../src/serve-visits.ts'

const silence_ms = 700
const MiB = 1024 * 1024
/** More than the buffers of both connections hold. */
const large = Buffer.alloc(64 * MiB, 'x')

let proxy: RunningAppProxy
let app: Server

beforeEach(async () => {
  app = createServer(async (asked, response) => {
    if (asked.url === '/stuck') return
    if (asked.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      await sleep(3 * silence_ms)
      return void response.end('data: 2\n\n')
    }
    if (asked.url === '/large') return void response.end(large)
    let bytes = 0
    asked.on('data', (chunk: Buffer) => (bytes += chunk.length))
    asked.on('error', () => undefined)
    asked.on('end', () => response.end(`took ${bytes}`))
  }).listen(0, '127.0.0.1')
  await once(app, 'listening')
  const url = `http://127.0.0.1:${Object(app.address()).port}`
  proxy = await serveVisits(
    {
      log: createLogger({ name: 'app-proxy', level: 'fatal' }),
      find: async () => ({ kind: 'instance', instance: { instance_id: 'one', url } }),
      silence_ms,
    },
    { host: '127.0.0.1', port: 0 },
  )
})

afterEach(async () => {
  await proxy.close(AbortSignal.abort())
  app.closeAllConnections()
  app.close()
})

const ask = (path: string, method = 'GET') => request({ port: proxy.port, path, method, agent: false })

it('takes a body for as long as bytes of it come', async () => {
  const asked = ask('/up', 'POST')
  const answered = once(asked, 'response')
  for (let piece = 0; piece < 6; piece += 1) {
    asked.write('x'.repeat(10))
    await sleep(silence_ms / 2)
  }
  asked.end()
  const [answer] = await answered
  expect([answer.statusCode, await text(answer)]).toEqual([200, 'took 60'])
})

it('waits longer for a visitor who is slow to take an answer than for an app', async () => {
  const [answer] = await once(ask('/large').end(), 'response')
  await sleep(2.5 * silence_ms)
  expect((await buffer(answer)).length).toBe(large.length)
})

it('lets an event stream be silent', async () => {
  const [answer] = await once(ask('/events').end(), 'response')
  expect(await text(answer)).toBe('data: 1\n\ndata: 2\n\n')
})

it('breaks off where neither says anything', async () => {
  const [stuck] = await once(ask('/stuck').end(), 'response')
  expect([stuck.statusCode, JSON.parse(await text(stuck)).code]).toEqual([502, 'app_unreachable'])
  const silent = ask('/up', 'POST')
  silent.write('half')
  const [broken] = await once(silent, 'response')
  expect(broken.statusCode).toBe(502)
  silent.destroy()
})
