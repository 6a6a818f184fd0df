import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { awaitTurn, bash, promptAgent, script, startSession } from '../support/sessions/agent.ts'
import { awaitEvent, commandRuns } from '../support/sessions/events.ts'
import { git } from '../support/clients/git.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/platform/redis.ts'
import { type TcpDatabase, tcpDatabase } from '../support/platform/tcp-database.ts'
import { waitFor } from '../support/wait-for.ts'

if (!hasRedis && process.env.CI) throw new Error('CI needs redis-server for these tests')
if (!hasRedis) console.warn('Skipped: redis-server is not installed')

const manifest = `svc_version: 2
runtime: pi
default_agent: helper
agents: { helper: {} }
`

/** A bomb as large as a machine bears that runs other tests; `JOURNEY_FULL_BOMB=1` knows no end. */
const bombs = process.env.JOURNEY_FULL_BOMB ? '' : 'depth=$((depth+1)); [ $depth -gt 7 ] && sleep 600;'

/** Prints which of `host port` on its command line take a connection, straight and through the sandbox's proxy. */
const prober = `
const { connect } = require('node:net')
const proxy = process.env.HTTP_PROXY ? new URL(process.env.HTTP_PROXY) : null
// The first place is open and answers in its own time; of the others some never answer.
const one = (place, hello, ends) => new Promise((resolve) => {
  const socket = connect(place)
  const done = (word) => { socket.destroy(); resolve(word) }
  if (ends) socket.setTimeout(5000, () => done(false))
  socket.on('error', () => done(false))
  socket.on('connect', () => (hello ? socket.write(hello) : done(true)))
  socket.on('data', (data) => done(/ 200 /.test(String(data).split('\\n')[0])))
  socket.on('close', () => done(false))
})
const places = process.argv.slice(2).map((text) => text.split(' '))
Promise.all(places.map(async ([host, port], index) => {
  const target = (host.includes(':') ? '[' + host + ']' : host) + ':' + port
  const straight = await one({ host, port: Number(port) }, null, index > 0)
  const proxied = proxy && await one({ host: proxy.hostname, port: Number(proxy.port) }, 'CONNECT ' + target + ' HTTP/1.1\\r\\nHost: ' + target + '\\r\\n\\r\\n', index > 0)
  return straight || proxied ? [target] : []
})).then((open) => console.log('open: ' + open.flat().sort().join(' ')))
`

describe.skipIf(!hasRedis)('a hostile session', () => {
  let database: TcpDatabase
  let redis: RedisServer
  let platform: Platform
  let project: Project
  let isolated = true

  beforeAll(async () => {
    ;[database, redis] = await Promise.all([tcpDatabase(), startRedis()])
    platform = await startPlatform({
      DATABASE_URL: database.connection_string,
      REDIS_URL: redis.url,
      SVC_SANDBOX_CPU: '1',
      SVC_SANDBOX_MEMORY_MB: '1024',
      SVC_SANDBOX_DISK_MB: '1024',
    })
    // Without any isolation the platform says at its start that this is so.
    isolated = !platform.child.stdout.includes('Sandboxes are not isolated')
    project = await platform.client.projects.provision({ name: 'Hostile' })
    const clone = join(platform.place.root, 'hostile')
    const { token } = platform
    await git(['clone', '-q', project.repo_url, clone], { token })
    await mkdir(join(clone, 'tools'))
    await writeFile(join(clone, 'svc.yaml'), manifest)
    await writeFile(join(clone, 'tools/probe.cjs'), prober)
    await git(['add', '-A'], { cwd: clone })
    await git(['commit', '-q', '-m', 'Hostile tools'], { cwd: clone })
    await git(['push', '-q', 'origin', 'HEAD:main'], { cwd: clone, token })
  })
  afterAll(async () => {
    await platform?.stop()
    await redis?.close()
    await database?.close()
  })

  /** The platform works for others: the API answers, and the turn of another session ends. */
  async function othersWork(neighbour: Session) {
    expect((await platform.client.health()).status).toBe('ok')
    const turn = await promptAgent(platform.client, neighbour, bash('echo still here'))
    expect(turn.outputs.at(-1)).toContain('still here')
  }

  test('CI isolates sandboxes', () => {
    if (process.env.CI) expect(isolated).toBe(true)
  })

  test('reaches neither PostgreSQL nor Redis nor the internal port, by whatever name of the machine', async () => {
    if (!isolated) return
    const own = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
    const hosts = [
      ...new Set(['127.0.0.1', '::1', 'localhost', hostname(), ...own.map(({ address }) => address)]),
    ]
    const api = Number(new URL(platform.origin).port)
    const ports = [
      database.port,
      Number(new URL(redis.url).port),
      Number(platform.place.env['SVC_INTERNAL_PORT']),
    ]
    for (const port of [api, ...ports]) await expectOpen(port)
    const places = hosts.flatMap((host) => ports.map((port) => `${host} ${port}`))
    const metadata = ['169.254.169.254 80', 'fd00:ec2::254 80', 'metadata.google.internal 80']
    const asked = [`127.0.0.1 ${api}`, ...places, ...metadata].map((place) => `'${place}'`).join(' ')
    const { turn } = await startSession(platform.client, project.project_id, [
      bash(`node tools/probe.cjs ${asked}`),
    ])
    expect(turn.outputs.at(-1)).toContain(`open: 127.0.0.1:${api}\n`)
  })

  test('bombs, fills its disk and is ended for it in words, while another one’s turns end', async () => {
    if (!isolated) return
    const { sessions } = platform.client.projects
    const { project_id } = project
    const hostile = (command: string) =>
      sessions.create(project_id, { initial_prompt: script(bash(command)) })
    const [{ session: neighbour }, bomber, glutton] = await Promise.all([
      startSession(platform.client, project_id, [bash('echo ready')]),
      hostile(`b() { ${bombs} b & b & wait; }; b; sleep 600 # the bomb`),
      hostile('fallocate -l 1200M large && sleep 600'),
    ])
    await awaitEvent(platform.client, bomber, 'the bomb is lit', commandRuns('the bomb'))
    await othersWork(neighbour)
    const ended = await waitFor<Session>('the full one has ended', async () => {
      const now = await sessions.get(project_id, glutton.session_id)
      return now.status === 'stopped' || now.status === 'failed' ? now : null
    })
    expect(ended.error).toContain('disk limit of 1024 MB exceeded')
    expect((await awaitTurn(platform.client, glutton)).status).not.toBe('completed')
    await sessions.delete(project_id, bomber.session_id)
    await othersWork(neighbour)
  })
})

function expectOpen(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}
