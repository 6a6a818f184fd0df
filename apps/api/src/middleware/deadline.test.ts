import { createLogger, createMetrics } from '@svc/boot'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { beginVisit } from '../door/visit.ts'
import type { AppEnv } from '../parts.ts'
import { deadline } from './deadline.ts'
import { renderError } from './errors.ts'
import { RequestEnd } from './request-end.ts'

const log = createLogger({ name: 'test', level: 'silent' })
const metrics = createMetrics('api')

function appWith(limit_ms: number) {
  const app = new Hono<AppEnv>()
  const seen: { signal?: AbortSignal } = {}
  app.onError(renderError)
  app.use(async (c, next) => {
    const end = new RequestEnd()
    seen.signal = end.signal
    c.set('end', end)
    c.set(
      'visit',
      beginVisit(
        { log, metrics },
        { method: 'GET', path: '/', request_id: undefined, ip: null, traceparent: undefined },
      ),
    )
    await next()
  })
  app.use(deadline(limit_ms))
  return { app, seen }
}

test('invariant 8: work that takes too long answers 503 and is told to end', async () => {
  const { app, seen } = appWith(5)
  app.get(
    '/',
    (c) =>
      new Promise((_, reject) =>
        c.var.end.signal.addEventListener('abort', () => reject(new Error('ended'))),
      ),
  )
  const response = await app.request('/')
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  expect(await response.json()).toMatchObject({ error: true, code: 'request_deadline', status: 503 })
  expect(seen.signal?.aborted).toBe(true)
})

test('work that is done in time is left alone', async () => {
  const { app, seen } = appWith(60_000)
  app.get('/', (c) => c.text('done'))
  expect(await (await app.request('/')).text()).toBe('done')
  expect(seen.signal?.aborted).toBe(false)
})
