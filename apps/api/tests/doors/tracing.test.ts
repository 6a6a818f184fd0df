import { createServer, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { createLogger, openTracing, type Tracing } from '@svc/boot'
import { runJob } from '@svc/platform'
import type { Cause } from '@svc/queue'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type TestPlatform, testPlatform } from '../support/platform.ts'

const Attribute = z.object({ key: z.string(), value: z.looseObject({ stringValue: z.string().optional() }) })
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string(),
  attributes: z.array(Attribute),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
})
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
})

const received: z.infer<typeof Export>['resourceSpans'][number][] = []
const causes: Cause[] = []
const lines: string[] = []
const log = createLogger({ name: 'api', destination: { write: (line) => void lines.push(line) } })
let collector: Server
let tracing: Tracing
let platform: TestPlatform

beforeAll(async () => {
  collector = createServer(async (req, res) => {
    received.push(...Export.parse(await json(req)).resourceSpans)
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => collector.once('listening', resolve))
  const address = collector.address()
  const endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint
  const opened = await openTracing({ service: 'api', version: '1.2.3', endpoint, log })
  if (opened === undefined) throw new Error('Traces are off')
  tracing = opened
  platform = await testPlatform({
    tracing,
    log,
    enqueue: async (_queue, _name, _payload, options) => void (options?.cause && causes.push(options.cause)),
  })
})
afterAll(async () => {
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']
  await platform?.close()
  collector?.close()
})

test('nothing is traced without a collector', async () => {
  expect(await openTracing({ service: 'api', version: '1', endpoint: undefined, log })).toBeUndefined()
})

test("a caller's trace goes on in the request and its job; a later attempt links to it", async () => {
  const trace = 'a'.repeat(32)
  const headers = { traceparent: `00-${trace}-${'b'.repeat(16)}-01` }
  const { token } = platform.owner
  const call = (path: string, body: object) =>
    platform.api.app.request(path, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const made = await call('/v1/projects/provision', { name: 'Traced' })
  expect(made.status).toBeLessThan(300)
  const { project_id } = z.looseObject({ project_id: z.uuid() }).parse(await made.json())
  causes.splice(0)
  expect((await call(`/v1/projects/${project_id}/sessions`, {})).status).toBe(201)
  const [cause] = causes
  if (cause === undefined) throw new Error('The session asked for no job')
  expect(cause.traceparent).toContain(trace)

  const { parts } = platform
  const job = { job_id: 'j', queue: 'session', name: 'sandbox.provision', cause } as const
  const { signal } = new AbortController()
  const session_id = parts.newId()
  await runJob(parts, { ...job, attempt: 1, signal }, { session_id }, async ({ log: own }) =>
    own.info('worked'),
  )
  const failing = runJob(parts, { ...job, attempt: 2, signal }, { session_id }, () =>
    Promise.reject(new Error('no')),
  )
  await expect(failing).rejects.toThrow('no')
  const ids = { trace_id: 'c'.repeat(32), span_id: 'd'.repeat(16) }
  const began_at = new Date('2026-01-02T03:04:05Z')
  tracing.begin({ name: 'turn', kind: 'internal', ids, began_at }).end()
  await tracing.close()

  const spans = received.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  const request = spans.find(({ name }) => name === 'POST /v1/projects/:project_id/sessions')
  expect(request).toMatchObject({ traceId: trace, parentSpanId: 'b'.repeat(16) })
  expect(request?.attributes).toContainEqual({ key: 'svc.project_id', value: { stringValue: project_id } })
  const [first, second] = spans.filter(({ name }) => name === 'job sandbox.provision')
  expect(first).toMatchObject({ traceId: trace, parentSpanId: request?.spanId })
  expect(first?.attributes).toContainEqual({ key: 'svc.session_id', value: { stringValue: session_id } })
  expect(second?.traceId).not.toBe(trace)
  expect(second?.links).toMatchObject([{ traceId: trace, spanId: request?.spanId }])
  expect(received[0]?.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'svc-api' },
  })
  const turn = {
    traceId: ids.trace_id,
    spanId: ids.span_id,
    startTimeUnixNano: `${began_at.getTime()}000000`,
  }
  expect(spans.find(({ name }) => name === 'turn')).toMatchObject(turn)
  const worked = lines
    .map((line): Record<string, unknown> => JSON.parse(line))
    .find(({ msg }) => msg === 'worked')
  expect(worked).toMatchObject({ request_id: cause.request_id, trace_id: trace, job: job.name, attempt: 1 })
})

test('a collector that is away costs spans and one warning', async () => {
  lines.splice(0)
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1',
  })
  const away = await openTracing({ service: 'api', version: '1', endpoint: 'http://127.0.0.1:1', log })
  for (const name of ['one', 'two', 'three']) away?.begin({ name, kind: 'server' }).end()
  await away?.close()
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0), { timeout: 180_000 })
  expect(lines.filter((line) => line.includes('cannot be sent'))).toHaveLength(1)
  delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT']
  delete process.env['OTEL_BSP_MAX_EXPORT_BATCH_SIZE']
})
