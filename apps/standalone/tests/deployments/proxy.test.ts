import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { git } from '../support/clients/git.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { type Proxy, proxyKinds, startProxy } from '../support/platform/proxy.ts'
import { startUpstream, type Upstream } from '../support/platform/upstream.ts'

const megabyte = 1024 * 1024

for (const { name, here } of proxyKinds) {
  if (here) continue
  if (process.env.CI) throw new Error(`CI needs ${name} for these tests`)
  console.warn(`Skipped: ${name} is not installed`)
}

describe.each(proxyKinds)('the example for $name', (kind) => {
  describe.skipIf(!kind.here)('in front of the services', () => {
    let api: Upstream
    let gateway: Upstream
    let proxy: Proxy
    let ca: string

    beforeAll(async () => {
      ;[api, gateway] = await Promise.all([startUpstream('api'), startUpstream('gateway')])
      proxy = await startProxy(kind, { api: api.port, gateway: gateway.port })
      ca = await readFile(proxy.authority, 'utf8')
    })
    afterAll(async () => {
      await proxy?.close()
      await Promise.all([api?.close(), gateway?.close()])
    })

    const ask = async (host: string, path: string, headers = {}): Promise<IncomingMessage> => {
      const outgoing = request({
        ...{ host: '127.0.0.1', port: proxy.port, servername: host, ca, path, agent: false },
        headers: { host, ...headers },
      }).end()
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
      return answer
    }

    test.each([
      ['svc.example.com', '/v1/health', 'api'],
      ['svc.example.com', '/v1/llm/chat/completions', 'gateway'],
      ['svc.example.com', '/v1/llms', 'api'],
      ['0a1b.preview.example.net', '/', 'api'],
      ['0a1b.preview.example.net', '/v1/llm/chat/completions', 'api'],
    ])('https://%s%s is for the %s, which sees the true host, scheme and client', async (host, path, to) => {
      const forged = { 'x-forwarded-host': 'forged.example', 'x-forwarded-proto': 'ftp' }
      expect(await json(await ask(host, path, forged))).toMatchObject({
        name: to,
        url: path,
        headers: {
          host,
          'x-forwarded-host': host,
          'x-forwarded-proto': 'https',
          'x-forwarded-for': expect.stringMatching(/127\.0\.0\.1$/),
        },
      })
    })

    test('an event arrives while its stream is open', async () => {
      const stream = await ask('svc.example.com', '/stream')
      const events = stream.setEncoding('utf8')[Symbol.asyncIterator]()
      expect((await events.next()).value).toBe('data: one\n\n')
      await json(await ask('svc.example.com', '/next'))
      expect((await events.next()).value).toBe('data: two\n\n')
    })

    test.each(['svc.example.com', '0a1b.preview.example.net'])('WebSockets work at %s', async (host) => {
      const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}/socket`, {
        ...{ ca, servername: host, headers: { host } },
      })
      await once(socket, 'open')
      socket.send('hello')
      const [data] = await once(socket, 'message')
      expect(String(data)).toBe(`api ${host} hello`)
      socket.close()
      await once(socket, 'close')
    })
  })
})

describe.skipIf(!proxyKinds.some(({ here }) => here))('a push of 200 MiB', () => {
  let platform: Platform
  let folder: string

  beforeAll(async () => {
    platform = await startPlatform()
    folder = await mkdtemp(join(tmpdir(), 'svc-large-push-'))
    const file = await open(join(folder, 'large'), 'w')
    for (let written = 0; written < 200; written += 8) await file.write(randomBytes(8 * megabyte))
    await file.close()
    await git(['init', '--quiet'], { cwd: folder })
    await git(['-c', 'core.compression=0', 'add', 'large'], { cwd: folder })
    await git(['commit', '--quiet', '--message', 'Large'], { cwd: folder })
  })
  afterAll(async () => {
    await platform?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test.each(proxyKinds.filter(({ here }) => here))('goes through $name', async (kind) => {
    const { token, client } = platform
    const api = Number(new URL(platform.origin).port)
    const proxy = await startProxy(kind, { api, gateway: api })
    try {
      const project = await client.projects.provision({ name: `Large by ${kind.name}` })
      const { pathname } = new URL(project.repo_url)
      const url = `https://svc.example.com:${proxy.port}${pathname}`
      const config = {
        'http.sslCAInfo': proxy.authority,
        'http.curloptResolve': `svc.example.com:${proxy.port}:127.0.0.1`,
        'pack.compression': '0',
      }
      const options = Object.entries(config).flatMap(([key, value]) => ['-c', `${key}=${value}`])
      await git([...options, 'push', '--quiet', url, 'HEAD:refs/heads/large'], { cwd: folder, token })
      const head = (await git(['rev-parse', 'HEAD'], { cwd: folder })).trim()
      const refs = await git([...options, 'ls-remote', url, 'refs/heads/large'], { token })
      expect(refs.slice(0, 40)).toBe(head)
    } finally {
      await proxy.close()
    }
  })
})
