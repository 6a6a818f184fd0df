import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { serveSocket, type SocketServer } from './serve-socket.ts'

let folder: string
let server: SocketServer
let asked: Socket[] = []
const path = () => join(folder, 'relay')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-serve-'))
  asked = []
  server = await serveSocket({
    path: path(),
    mode: 0o600,
    serve: (socket) => {
      asked.push(socket)
      socket.resume()
    },
  })
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function ask(): Promise<Socket> {
  const socket = connect(path())
  socket.write('a question')
  await once(socket, 'connect')
  await expect.poll(() => asked.at(-1)?.bytesRead).toBe(10)
  return socket
}

it('gives an answer that is owed before it ends a connection, and takes no other one', async () => {
  const socket = await ask()
  let isClosed = false
  const closed = server.close(new AbortController().signal).then(() => (isClosed = true))
  const [refusal] = (await once(connect(path()), 'error')) as [NodeJS.ErrnoException]
  expect(refusal.code).toBe('ENOENT')
  expect(isClosed).toBe(false)
  asked[0]?.write('the answer')
  expect(await text(socket)).toBe('the answer')
  await closed
})

it('ends a connection that owes nothing, and waits for no other one once it is to be quick', async () => {
  const idle = await ask()
  asked[0]?.write('the answer')
  const owed = await ask()
  const force = new AbortController()
  const closed = server.close(force.signal)
  expect(await text(idle)).toBe('the answer')
  expect(owed.destroyed).toBe(false)
  force.abort()
  await closed
  expect(await text(owed)).toBe('')
})

it('breaks everything off when nobody says how long it may take', async () => {
  const socket = await ask()
  await server.close()
  expect(await text(socket)).toBe('')
})
