import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type ReadBody, readIncoming } from './read-up-to.ts'

const max = 1000
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** The body that a server reads when it is sent in these pieces; an error is that of the reading. */
async function send(pieces: readonly Buffer[], leave = false): Promise<ReadBody | Error> {
  let report: (body: ReadBody | Error) => void = () => {}
  const read = new Promise<ReadBody | Error>((resolve) => (report = resolve))
  const server = createServer((incoming, response) => {
    void readIncoming(incoming, max)
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
      .then((body) => {
        report(body)
        response.end()
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const client = request({ port, host: '127.0.0.1', method: 'POST' }, (answer) => answer.resume())
  client.on('error', () => undefined)
  client.flushHeaders()
  for (const piece of pieces) await new Promise<void>((resolve) => client.write(piece, () => resolve()))
  if (leave) client.destroy()
  else client.end()
  return read
}

test('every byte, in the order and number in which it came', async () => {
  const pieces = [Buffer.from([0xef, 0xbb, 0xbf, 0]), Buffer.alloc(600, 1), Buffer.from('\r\n ü')]
  expect(await send(pieces)).toEqual({ bytes: Buffer.concat(pieces), whole: true })
  expect(await send([])).toEqual({ bytes: Buffer.alloc(0), whole: true })
})

test('exactly what is asked for is whole, and a byte more is not', async () => {
  expect(await send([Buffer.alloc(max)])).toMatchObject({ whole: true })
  expect(await send([Buffer.alloc(max + 1)])).toMatchObject({ whole: false })
})

test('what is kept of a longer one is its first bytes, however it comes in pieces', async () => {
  const body = Buffer.from(Array.from({ length: max + 500 }, (_, index) => index % 251))
  const kept = { bytes: body.subarray(0, max), whole: false }
  expect(await send([body])).toEqual(kept)
  expect(await send([body.subarray(0, 10), body.subarray(10, max - 1), body.subarray(max - 1)])).toEqual(kept)
})

test('what goes on and on is not waited for', async () => {
  const body = await send(Array.from({ length: 20 }, () => Buffer.alloc(max)))
  expect(body).toMatchObject({ whole: false })
})

test('a sender that leaves in the middle is no whole body', async () => {
  expect(await send([Buffer.alloc(10)], true)).toBeInstanceOf(Error)
})
