import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSocketServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SandboxLimits, SandboxProvider } from '../src/index.ts'
import type { ProcessProviderOptions } from '../src/providers/index.ts'
import { processesNaming } from '../src/testing/host-processes.ts'
import { createStubTools, type StubTools } from '../src/testing/index.ts'
import { call, environmentOf, post, runIn, until } from '../src/testing/sandbox-client.ts'
import { askProxy, askRelay, hog, reach, reachSocket } from './attacks.ts'

export type Provider = Pick<SandboxProvider, 'create' | 'start' | 'stop' | 'status' | 'exitReport'>

export interface IsolationFixture {
  readonly root: string
  readonly provider: Provider
  dispose(): Promise<void>
}

export type OpenIsolated = (
  stub: StubTools,
  options: Pick<ProcessProviderOptions, 'api_url' | 'look_every_ms'>,
) => Promise<IsolationFixture>

/** The acts that a sandbox in a bubblewrap cannot do, whichever user runs the platform. */
export function describeIsolation(name: string, open: OpenIsolated): void {
  describe(`a hostile sandbox (${name})`, () => {
    let stub: StubTools
    let fixture: IsolationFixture
    let folder: string
    let api: Server
    let internal: Server
    let file: Server
    let abstract: Server
    const socketName = `svc-test-${randomUUID()}`

    beforeAll(async () => {
      stub = await createStubTools()
      folder = await mkdtemp(join(tmpdir(), 'svc-victims-'))
      api = createServer((_request, response) => response.end('the platform'))
      internal = createSocketServer((socket) => socket.end('a secret'))
      file = createSocketServer((socket) => socket.end('a secret'))
      abstract = createSocketServer((socket) => socket.end('a secret'))
      const places = [
        [api, { host: '127.0.0.1', port: 0 }],
        [internal, { host: '0.0.0.0', port: 0 }],
        [file, { path: join(folder, '.s.PGSQL.5432'), writableAll: true }],
        [abstract, { path: `\0${socketName}` }],
      ] as const
      for (const [server, place] of places) await once(server.listen(place), 'listening')
      const api_url = `http://127.0.0.1:${portOf(api)}/v1`
      fixture = await open(stub, { api_url, look_every_ms: 200 })
    })

    afterAll(async () => {
      await fixture.dispose()
      for (const server of [api, internal, file, abstract]) server.close()
      await rm(folder, { recursive: true })
      await stub.remove()
    })

    const create = async (environment: Readonly<Record<string, string>> = {}, limits: SandboxLimits = {}) => {
      const created = await fixture.provider.create({ sandbox_id: randomUUID(), environment, limits })
      await environmentOf(created.endpoint)
      const run = async (command: string) => (await runIn(created.endpoint, command)).output.trim()
      return { ...created, run }
    }
    const ended = (external_id: string) =>
      until(
        'its end',
        () => fixture.provider.status(external_id),
        (status) => status === 'stopped',
      )

    it('reaches the platform’s API through the relay, and nothing else of the machine', async () => {
      const { run } = await create()
      const request = 'GET / HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n'
      expect(await run(askRelay(`ID 127.0.0.1:${portOf(api)}`, request))).toBe('HTTP/1.1 200 OK')
      expect(await run(askProxy(`127.0.0.1:${portOf(api)}`))).toContain(' 200 ')
      for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '169.254.169.254', '10.0.0.1']) {
        expect(await run(askProxy(`${host}:${portOf(internal)}`)), host).toContain(' 403 ')
      }
      expect(await run(askRelay(`ID 127.0.0.1:${portOf(internal)}`))).toBe('closed')
    })

    it('is nobody to the relay without its own name', async () => {
      const { run } = await create()
      for (const line of [
        `sbx_${'0'.repeat(32)} proxy`,
        'ID',
        'ID proxy more',
        'x'.repeat(2_000),
        '../.. proxy',
      ]) {
        expect(await run(askRelay(line, 'GET / HTTP/1.1\r\n\r\n')), line).toMatch(
          /^(closed|ECONNRESET|EPIPE)$/,
        )
      }
    })

    it('finds no port and no socket of the machine', async () => {
      const { run } = await create()
      for (const port of [portOf(api), portOf(internal), 5432, 6379])
        expect(await run(reach(port)), String(port)).toBe('ECONNREFUSED')
      expect(await run(reach(80, '169.254.169.254'))).toMatch(/ENETUNREACH|EHOSTUNREACH/)
      expect(await run(reachSocket(join(folder, '.s.PGSQL.5432')))).toBe('ENOENT')
      expect(await run(reachSocket(`@${socketName}`))).toBe('ECONNREFUSED')
    })

    it('has its neighbour’s ports, files, environment and processes out of reach', async () => {
      const neighbour = await create({ A_SECRET: `secret-${randomUUID()}` })
      const attacker = await create()
      const secret = (await environmentOf(neighbour.endpoint))['A_SECRET'] ?? ''
      await neighbour.run('echo mine > "$SVC_WORKSPACE/file"; chmod -R 777 "$SVC_WORKSPACE"')
      const seen = await attacker.run(
        'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"; cat /proc/[0-9]*/cmdline | tr "\\0" "\\n"; find / -name file -path "*workspace*" 2>/dev/null',
      )
      expect(seen).not.toContain(secret)
      expect(seen).not.toContain('/file')
      const place = join(fixture.root, neighbour.external_id)
      expect((await runIn(attacker.endpoint, `ls ${place}`)).code).not.toBe(0)
      const own = await attacker.run(
        `node -e 'fetch("http://" + process.env.SVC_SANDBOX_ADDRESS + ":8000/env").then((r) => r.text()).then(console.log, (e) => console.log(e.cause.code))'`,
      )
      expect(own).not.toContain(secret)
      const pids = await processesNaming('lib/svc-agent.mjs')
      expect(pids.length).toBeGreaterThan(1)
      for (const pid of [process.pid, ...pids])
        expect(
          (await runIn(attacker.endpoint, `kill -0 ${pid} && readlink /proc/${pid}/exe | grep -v node`)).code,
          String(pid),
        ).not.toBe(0)
      expect((await runIn(neighbour.endpoint, 'cat "$SVC_WORKSPACE/file"')).output).toBe('mine\n')
    })

    it('sees no path of the machine among its sockets', async () => {
      const { run } = await create()
      // The relay keeps one that asks for nothing, and the daemon's own are there as well.
      const sockets = await run(
        `node -e 'const { readdirSync, readFileSync } = require("fs"); const folder = process.env.SVC_RELAY_DIR; const socket = require("net").connect(folder + "/" + readdirSync(folder)[0], () => { console.log(readFileSync("/proc/net/unix", "utf8")); socket.destroy() })'`,
      )
      expect(sockets).toContain('RefCount')
      expect(sockets).not.toContain(fixture.root)
      expect(sockets).not.toMatch(/\.(relays|sockets)/)
    })

    it('cannot put anything in the place of the platform’s sockets', async () => {
      const { run } = await create()
      expect(await run('touch "$SVC_RELAY_DIR/x" 2>&1 || rm "$SVC_RELAY_DIR"/* 2>&1')).toMatch(/Read-only/)
      expect(await run('touch "$SVC_HARNESSES_DIR/x" 2>&1')).toMatch(/Read-only/)
    })

    it('holds only so much in memory file systems', async () => {
      const { run } = await create()
      const sizes = (await run('df -Pk /tmp /dev/shm | tail -n +2'))
        .split('\n')
        .map((row) => row.split(/\s+/)[1])
      expect(sizes.map(Number)).toEqual([1024 * 1024, 256 * 1024])
      expect(await run('echo x > /dev/x')).not.toBe('')
    })

    it('ends for a full disk, in words, and may be started to clean up', async () => {
      const neighbour = await create()
      const { external_id, endpoint } = await create({}, { disk_mb: 40 })
      await call(endpoint, '/leave-behind', 'head -c 90M /dev/zero > /workspace/big; sleep 600')
      await ended(external_id)
      expect((await fixture.provider.exitReport(external_id)).exit).toBe('disk limit of 40 MB exceeded')
      expect((await runIn(neighbour.endpoint, 'echo here')).output).toBe('here\n')
      const again = await fixture.provider.start(external_id)
      expect((await runIn(again.endpoint, 'rm /workspace/big && echo room')).output).toBe('room\n')
    })

    it('hides nothing it writes in a closed folder or a deleted file', async () => {
      const hidden = [
        'mkdir d; head -c 90M /dev/zero > d/big; chmod 0 d; sleep 600',
        'exec 7> x; rm x; head -c 90M /dev/zero >&7; sleep 600',
      ]
      const made = await Promise.all(hidden.map(() => create({}, { disk_mb: 40 })))
      await Promise.all(
        made.map(({ endpoint }, index) => call(endpoint, '/leave-behind', `cd /workspace; ${hidden[index]}`)),
      )
      for (const { external_id } of made) {
        await ended(external_id)
        expect((await fixture.provider.exitReport(external_id)).exit).toContain('disk limit')
      }
    })

    it('bombs and hogs without taking the platform or a neighbour with it', async () => {
      const neighbour = await create()
      const bomber = await create({}, { pids: 60 })
      const glutton = await create({}, { memory_mb: 192 })
      await call(
        bomber.endpoint,
        '/leave-behind',
        'bomb() { bomb | bomb & }; bomb; for i in $(seq 200); do sleep 600 & done',
      )
      const fat = post(glutton.endpoint, '/run', hog(800)).catch(() => ({ code: 'ended with it' }))
      expect(await fat).not.toMatchObject({ code: 0 })
      expect((await runIn(neighbour.endpoint, 'echo here')).output).toBe('here\n')
      expect(await (await fetch(`http://127.0.0.1:${portOf(api)}/`)).text()).toBe('the platform')
      await fixture.provider.stop(bomber.external_id)
      expect(await fixture.provider.status(bomber.external_id)).toBe('stopped')
    })

    it('starts only so many processes', async () => {
      const { endpoint } = await create({}, { pids: 40 })
      const { output } = await runIn(endpoint, 'for i in $(seq 100); do sleep 600 > /dev/null 2>&1 & done')
      expect(output).toMatch(/fork/i)
    })
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('It does not listen on a port')
  return address.port
}
