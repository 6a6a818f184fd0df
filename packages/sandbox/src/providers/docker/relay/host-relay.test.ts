import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { EgressRefusal } from '../../../network/egress-refusal.ts'
import { isServed } from '../../../network/unix-sockets.ts'
import { fetchBoot } from '../guest/fetch-boot.ts'
import { openInward } from '../guest/inward.ts'
import { type DockerPaths, dockerPaths } from '../paths.ts'
import { type HostRelay, openHostRelay, type RelayParts } from './host-relay.ts'

let folder: string
let paths: DockerPaths
let relay: HostRelay
let guest: AbortController
const servers: Server[] = []

const parts = (changes: Partial<RelayParts> = {}): RelayParts => ({
  paths,
  boot: async () => null,
  dial: async () => {
    throw new EgressRefusal('it is\nclosed')
  },
  ...changes,
})

beforeEach(async () => {
  guest = new AbortController()
  folder = await mkdtemp(join(tmpdir(), 'svc-relay-'))
  paths = dockerPaths(folder, 'one')
})

afterEach(async () => {
  guest.abort()
  await relay.close()
  for (const server of servers.splice(0)) server.close()
  await rm(folder, { recursive: true })
})

async function listening(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** All that the relay answers to these words. */
function say(words: string): Promise<string> {
  const socket = connect({ path: paths.relay, allowHalfOpen: true })
  socket.on('error', () => undefined).write(words)
  return text(socket)
}

it('tells a sandbox its environment once', async () => {
  const boot = { environment: { A: 'é\n' }, forwards: [], proxy: null, daemon: { address: 'x', port: 1 } }
  const answers: (object | null)[] = [boot, null]
  relay = await openHostRelay(parts({ boot: async () => answers.shift() ?? null }))
  expect(await fetchBoot(paths.relay)).toEqual(boot)
  expect(await say('boot\n')).toBe('null\n')
})

it('answers ok and passes on, from the first byte', async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket))
  const port = await listening(server)
  const wanted: unknown[] = []
  const dial = async (target: unknown): Promise<Socket> => {
    wanted.push(target)
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    await once(socket, 'connect')
    return socket
  }
  relay = await openHostRelay(parts({ dial }))
  const socket = connect({ path: paths.relay, allowHalfOpen: true })
  socket.end('to [2001:db8::1]:443\nfirst words')
  expect(await text(socket)).toBe('ok\nfirst words')
  expect(wanted).toEqual([{ host: '2001:db8::1', port: 443 }])
})

it.each([
  ['to closed.example:443\n', 'no it is closed\n'],
  ['to nothing\n', ''],
  ['other a.example:443\n', ''],
  ['to a.example:443'.padEnd(2_000, 'x'), ''],
])('to %j answers %j', async (words, answer) => {
  relay = await openHostRelay(parts())
  expect(await say(words)).toBe(answer)
})

it('leads the platform to the daemon, over connections that the sandbox made', async () => {
  relay = await openHostRelay(parts())
  const port = await listening(
    createHttpServer((incoming, response) => response.end(`asked ${incoming.url}`)),
  )
  openInward(paths.relay, { address: '127.0.0.1', port }, guest.signal)
  const ask = async (path: string): Promise<string> => {
    const socket = connect({ path: paths.inward, allowHalfOpen: true })
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    return text(socket)
  }
  // More at a time than the sandbox holds ready.
  const answers = await Promise.all(Array.from({ length: 20 }, (_, count) => ask(`/${count}`)))
  expect(answers.map((answer) => /asked \/(\d+)/.exec(answer)?.[1])).toEqual(
    Array.from({ length: 20 }, (_, count) => String(count)),
  )
})

it('keeps what a caller says who comes before the sandbox does', async () => {
  relay = await openHostRelay(parts())
  const port = await listening(createHttpServer(({ url }, response) => response.end(`asked ${url}`)))
  const caller = connect({ path: paths.inward, allowHalfOpen: true })
  caller.write('GET /early HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await new Promise((resolve) => setTimeout(resolve, 100))
  openInward(paths.relay, { address: '127.0.0.1', port }, guest.signal)
  expect(await text(caller)).toContain('asked /early')
})

it('takes the place of an ended one, whose sockets it knows as no longer its own', async () => {
  const former = await openHostRelay(parts())
  expect(await former.isCurrent()).toBe(true)
  expect(await isServed(paths.inward)).toBe(true)
  relay = await openHostRelay(parts())
  expect([await former.isCurrent(), await relay.isCurrent()]).toEqual([false, true])
  expect([(await stat(paths.relay)).mode & 0o777, (await stat(paths.inward)).mode & 0o777]).toEqual([
    0o666, 0o600,
  ])
  await relay.close()
  expect(await isServed(paths.inward)).toBe(false)
  await former.close()
})
