import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../src/index.ts'
import { startStub, type StubServer } from './stub-server.ts'

let stub: StubServer
afterEach(() => stub.close())

setFlagsFromString('--expose-gc')
const collectGarbage: unknown = runInNewContext('gc')

/** As a process does that has run for a while. */
async function runForAWhile(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await sleep(20)
    if (typeof collectGarbage === 'function') collectGarbage()
  }
}

const client = () => createClient({ api_url: stub.api_url, token: 't', timeout_ms: 500 })
const streams = {
  'of a session': (signal: AbortSignal) => client().projects.sessions.stream('p', 's', { signal }),
  'of changes': (signal: AbortSignal) => client().changes({ signal }),
}

test.each(Object.entries(streams))(
  'a stream %s ends by its signal, however long it has been read',
  async (_of, open) => {
    let closed: Promise<unknown> | undefined
    stub = await startStub((_request, response, index) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const event = { seq: index + 1, type: 'hello', at: '2026-01-01T00:00:00Z' }
      response.write(`retry: 1\n\ndata: ${JSON.stringify(event)}\n\n`)
      // The first connection ends, as at the end of its server.
      if (index === 0) return void response.end()
      const beat = setInterval(() => response.write(': heartbeat\n\n'), 20)
      closed = once(response, 'close').then(() => clearInterval(beat))
    })
    const stopping = new AbortController()
    const events: unknown[] = []
    const reading = (async () => {
      for await (const event of open(stopping.signal)) events.push(event)
    })()
    await expect.poll(() => events.length).toBe(2)
    await runForAWhile()
    stopping.abort(new Error('enough'))
    await expect(Promise.race([reading, sleep(5_000, 'it goes on')])).rejects.toThrow('enough')
    await closed
  },
)

test('a refusal whose words do not come is one in time', async () => {
  stub = await startStub((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json' }).write('{ "code": "for')
  })
  const reading = client().projects.sessions.stream('p', 's').next()
  await expect(Promise.race([reading, sleep(5_000, 'it goes on')])).rejects.toMatchObject({ status: 403 })
})
