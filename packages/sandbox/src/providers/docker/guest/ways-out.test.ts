import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EgressRefusal } from '../../../network/egress-refusal.ts'
import { dockerPaths } from '../paths.ts'
import { type HostRelay, openHostRelay } from '../relay/host-relay.ts'
import { openForward } from './forward.ts'
import { openProxy } from './proxy.ts'

const host = '127.0.0.1'
/** An address that no other program of this machine listens on. */
const address = `127.${[0, 0, 0].map(() => randomInt(1, 255)).join('.')}`
const proxy = { address, port: 33_128 }
const forward = { address, port: 33_129, host: 'svc.example.com' }

let folder: string
let relay: HostRelay
let outside: Server

/** A line that a program in the sandbox sends, and all that it hears. */
async function say(to: { address: string; port: number }, words: string): Promise<string> {
  const socket = connect({ host: to.address, port: to.port, allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.end(words)
  return text(socket)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-ways-'))
  outside = createServer({ allowHalfOpen: true }, (socket) => {
    const heard: Buffer[] = []
    socket.on('data', (data) => heard.push(data))
    socket.on('end', () => socket.end(`heard ${Buffer.concat(heard)}`))
  })
  outside.listen(0, host)
  await once(outside, 'listening')
  const paths = dockerPaths(folder, 'one')
  relay = await openHostRelay({
    paths,
    boot: async () => null,
    dial: async (target) => {
      if (target.host === 'closed.example') throw new EgressRefusal('it is closed')
      const { port } = outside.address() as AddressInfo
      const socket = connect({ host, port, allowHalfOpen: true })
      await once(socket, 'connect')
      socket.write(`to ${target.host}:${target.port} `)
      return socket
    },
  })
  await openProxy(paths.relay, proxy, 0)
  await openForward(paths.relay, forward, 0)
})

afterAll(async () => {
  await relay.close()
  outside.close()
  await rm(folder, { recursive: true })
})

describe('a program in a container', () => {
  it('reaches the platform at an address of the container’s own', async () => {
    expect(await say(forward, 'hello')).toBe('heard to svc.example.com:33129 hello')
  })

  it.each(['a.example:80', 'a.example:443'])('has a tunnel to %s, the port that it names', async (target) => {
    expect(await say(proxy, `CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\nhello`)).toBe(
      `HTTP/1.1 200 Connection established\r\n\r\nheard to ${target} hello`,
    )
  })

  it('hears the platform’s words when a target is closed to it', async () => {
    const heard = await say(proxy, 'CONNECT closed.example:443 HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(heard).toMatch(/^HTTP\/1.1 403 /)
    expect(heard).toContain('This sandbox may not reach closed.example:443: it is closed\n')
  })

  it('waits for the next process of a platform, which loses nothing', async () => {
    const later = dockerPaths(folder, 'two')
    const at = { ...forward, port: 33_132 }
    await openForward(later.relay, at, 30_000)
    const answer = say(at, 'hello')
    const next = await openHostRelay({
      paths: later,
      boot: async () => null,
      dial: async () => {
        const socket = connect({ host, port: (outside.address() as AddressInfo).port, allowHalfOpen: true })
        await once(socket, 'connect')
        return socket
      },
    })
    expect(await answer).toBe('heard hello')
    await next.close()
  })

  it('outlives a platform that is away', async () => {
    const away = { ...forward, port: 33_130 }
    const proxyAway = { ...proxy, port: 33_131 }
    await openForward(join(folder, 'nothing'), away, 0)
    await openProxy(join(folder, 'nothing'), proxyAway, 0)
    expect(await say(away, 'hello').catch(() => 'broken off')).toMatch(/^$|broken off/)
    expect(await say(proxyAway, 'CONNECT a.example:443 HTTP/1.1\r\nhost: x\r\n\r\n')).toMatch(
      /^HTTP\/1.1 502 /,
    )
  })
})
