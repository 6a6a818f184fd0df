import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient, type SessionEvent } from '../src/index.ts'
import { type Handler, sendJson, startStub, type StubServer } from './stub-server.ts'

let stub: StubServer
afterEach(() => stub.close())

const at = '2026-01-01T00:00:00Z'
const frame = (seq: number) =>
  `id: ${seq}\nevent: tool\ndata: ${JSON.stringify({ seq, type: 'tool', at })}\n\n`
const delta = (seq: number, text: string) =>
  `event: message.delta\ndata: ${JSON.stringify({ seq, type: 'message.delta', at, delta: text })}\n\n`

function openStream(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('retry: 1\n\n: hello\n\n')
}

async function collect(handler: Handler, until: (event: SessionEvent) => boolean, options = {}) {
  stub = await startStub(handler)
  const client = createClient({ api_url: stub.api_url, token: 't' })
  const events: SessionEvent[] = []
  for await (const event of client.projects.sessions.stream('p', 's', options)) {
    events.push(event)
    if (until(event)) break
  }
  return events
}

describe('the session stream', () => {
  it('misses nothing and repeats nothing, wherever the connection is cut', async () => {
    const total = 30
    const log = Array.from({ length: total }, (_, index) => frame(index + 1))
    const events = await collect(
      (request, response, index) => {
        openStream(response)
        const last = Number(request.headers['last-event-id'])
        // An overlapping replay, then a cut after a few events: in the middle of a frame every other time.
        const part = log.slice(Math.max(0, last - 2), last + 3).join('')
        response.write(index % 2 === 0 ? part.slice(0, -5) : part, () => response.socket?.destroy())
      },
      (event) => event.seq === total,
    )
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, index) => index + 1))
    const cursors = stub.seen.map(({ headers }) => Number(headers['last-event-id']))
    expect(cursors[0]).toBe(0)
    expect(cursors).toEqual([...cursors].sort((a, b) => a - b))
  })

  it('resumes after a clean end of the response', async () => {
    const events = await collect(
      (_, response, index) => {
        openStream(response)
        response.end(frame(index + 1))
      },
      (event) => event.seq === 3,
    )
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(stub.seen.map(({ headers }) => headers['last-event-id'])).toEqual(['0', '1', '2'])
  })

  it('passes deltas on without moving its cursor', async () => {
    const events = await collect(
      (_, response, index) => {
        openStream(response)
        if (index === 0) response.end(frame(1) + delta(1, 'Hel') + delta(1, 'lo'))
        else response.write(frame(2))
      },
      (event) => event.seq === 2,
    )
    expect(events.map((event) => event['delta'] ?? event.seq)).toEqual([1, 'Hel', 'lo', 2])
    expect(stub.seen[1]?.headers['last-event-id']).toBe('1')
  })

  it('starts after a given event', async () => {
    await collect(
      (_, response) => {
        openStream(response)
        response.write(frame(8))
      },
      () => true,
      { after: 7 },
    )
    expect(stub.seen[0]).toMatchObject({
      url: '/v1/projects/p/sessions/s/events?after=7',
      headers: { 'last-event-id': '7' },
    })
  })

  it('keeps characters whole that arrive in pieces', async () => {
    const bytes = Buffer.from(delta(0, 'Grüße 👋'))
    const events = await collect(
      async (_, response) => {
        openStream(response)
        for (const byte of bytes) await new Promise((resolve) => response.write(Buffer.of(byte), resolve))
      },
      () => true,
    )
    expect(events[0]?.['delta']).toBe('Grüße 👋')
  })

  it('waits out a temporary failure, as long as Retry-After says', async () => {
    const events = await collect(
      (_, response, index) => {
        if (index < 3) return sendJson(response, 503, {}, { 'retry-after': '0' })
        openStream(response)
        response.write(frame(1))
      },
      () => true,
    )
    expect(events).toHaveLength(1)
  })

  it('reconnects when the connection falls silent', async () => {
    const events = await collect(
      (_, response, index) => {
        openStream(response)
        if (index > 0) response.write(frame(1))
      },
      () => true,
      { idle_timeout_ms: 50 },
    )
    expect(events).toHaveLength(1)
    expect(stub.seen.length).toBeGreaterThan(1)
  })

  it('ignores messages that are not events of the log', async () => {
    const events = await collect(
      (_, response) => {
        openStream(response)
        response.write(`event: hello\ndata: {"epoch":1}\n\ndata: not json\n\n${frame(1)}`)
      },
      () => true,
    )
    expect(events.map(({ seq }) => seq)).toEqual([1])
  })

  it('throws a refusal', async () => {
    const refusal = collect(
      (_, response) => sendJson(response, 404, { code: 'not_found', message: 'no' }),
      () => true,
    )
    await expect(refusal).rejects.toMatchObject({ name: 'ApiError', status: 404 })
    expect(stub.seen).toHaveLength(1)
  })

  it('throws when the server stays away', async () => {
    const gone = collect(
      (_, response) => void response.socket?.destroy(),
      () => true,
      { max_reconnects: 1 },
    )
    await expect(gone).rejects.toMatchObject({ name: 'ConnectionError', reason: 'unreachable' })
    expect(stub.seen).toHaveLength(2)
  })

  it('does not wait forever for a server that accepts and says nothing', async () => {
    stub = await startStub(() => undefined)
    const client = createClient({ api_url: stub.api_url, timeout_ms: 20 })
    const silent = client.projects.sessions.stream('p', 's', { max_reconnects: 0 })
    await expect(silent.next()).rejects.toMatchObject({ name: 'ConnectionError', reason: 'timeout' })
  })

  it('throws when the answer is no event stream', async () => {
    const page = collect(
      (_, response) => sendJson(response, 200, {}),
      () => true,
    )
    await expect(page).rejects.toMatchObject({ name: 'ConnectionError', reason: 'not_api' })
  })

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController()
    const ended = collect(
      (_, response) => {
        openStream(response)
        response.write(frame(1))
      },
      () => {
        controller.abort(new Error('left'))
        return false
      },
      { signal: controller.signal },
    )
    await expect(ended).rejects.toThrow('left')
  })

  it('closes the connection when the caller leaves', async () => {
    let closed: Promise<void> | undefined
    await collect(
      (_, response) => {
        closed = new Promise((resolve) => response.on('close', resolve))
        openStream(response)
        response.write(frame(1))
      },
      () => true,
    )
    await closed
  })
})
