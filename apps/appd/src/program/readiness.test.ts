import { createServer } from 'node:http'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { awaitReady } from './readiness.ts'

const forever = new AbortController().signal

/** A server that takes the port in a while, and answers with these statuses in turn. */
async function serving(after_ms: number, statuses: readonly number[]) {
  const asked: number[] = []
  const server = createServer((_request, response) => {
    response.writeHead(statuses[Math.min(asked.length, statuses.length - 1)] ?? 200).end()
    asked.push(performance.now())
  })
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = Object(probe.address())
  probe.close()
  await once(probe, 'close')
  let listens_at = 0
  setTimeout(() => server.listen(port, '127.0.0.1', () => (listens_at = performance.now())), after_ms)
  onTestFinished(() => void server.close())
  return { port: Number(port), asked, listensAt: () => listens_at }
}

it('asks a program soon after it listens, however long that took', async () => {
  const waits: number[] = []
  // A machine that stood still in between says nothing.
  while (waits.length < 5 && !waits.some((ms) => ms < 1200)) {
    const { port, asked, listensAt } = await serving(2000, [200])
    expect(await awaitReady({ port, path: '/', signal: forever })).toBe(true)
    expect(asked).toHaveLength(1)
    waits.push((asked[0] ?? 0) - listensAt())
  }
  // Pauses that doubled from that of a bad answer would have come to 1.7 s.
  expect(Math.min(...waits)).toBeLessThan(1200)
})

it('asks one that answers badly again after a while, and less and less often', async () => {
  const { port, asked } = await serving(0, [503, 503, 200])
  expect(await awaitReady({ port, path: '/', signal: forever })).toBe(true)
  expect(asked).toHaveLength(3)
  const [first = 0, second = 0, third = 0] = asked
  expect(second - first).toBeGreaterThan(240)
  expect(third - second).toBeGreaterThan(490)
})

it('asks one again that changed the protocol unasked', async () => {
  let answers = 0
  const server = createServer((request, response) => {
    answers += 1
    if (answers > 1) response.end()
    else request.socket.write('HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = Object(server.address())
  expect(await awaitReady({ port, path: '/', signal: forever })).toBe(true)
  expect(answers).toBe(2)
})
