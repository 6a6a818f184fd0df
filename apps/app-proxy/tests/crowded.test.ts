import { once } from 'node:events'
import { request } from 'node:http'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createLogger } from '@svc/boot'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type RunningAppProxy, serveVisits } from '../src/serve-visits.ts'

let proxy: RunningAppProxy
let bodies: PassThrough[]
let arrived: number

beforeEach(async () => {
  bodies = []
  arrived = 0
  const file = {
    ...{ sha256: 'a', bytes: 2, content_type: 'text/plain', br_sha256: null, gzip_sha256: null },
    hashed: false,
  }
  const site = {
    ...{ files: new Map([['index.html', file]]), spa: false, shared: false },
    read: async () => {
      const body = new PassThrough()
      // The first one is held until the test ends it.
      if (bodies.push(body) > 1) body.end('ok')
      return body
    },
  }
  const place = { kind: 'site', site, limit: { app_id: 'app', max: 1 } } as const
  const log = createLogger({ name: 'app-proxy', level: 'fatal' })
  const find = async () => {
    arrived += 1
    return place
  }
  proxy = await serveVisits({ log, find }, { host: '127.0.0.1', port: 0 })
})

afterEach(() => proxy.close(AbortSignal.abort()))

async function statusOf(asked: ReturnType<typeof ask>): Promise<number> {
  const [answer] = await once(asked, 'response')
  answer.resume()
  await once(answer, 'end')
  return answer.statusCode
}

const ask = () => request({ port: proxy.port, agent: false }).end()

it('gives the place of a visitor who left while they waited to the next one', async () => {
  const first = ask()
  await expect.poll(() => bodies.length).toBe(1)
  const left = ask()
  left.on('error', () => undefined)
  await expect.poll(() => arrived).toBe(2)
  expect(await statusOf(ask())).toBe(429)
  left.destroy()
  await new Promise((resolve) => left.once('close', resolve))
  // Until the proxy has seen it as well.
  for (let n = 0; n < 3; n += 1) expect(await statusOf(ask())).toBe(429)
  bodies[0]?.end('ok')
  const [answer] = await once(first, 'response')
  expect(await text(answer)).toBe('ok')
  expect(await statusOf(ask())).toBe(200)
})
