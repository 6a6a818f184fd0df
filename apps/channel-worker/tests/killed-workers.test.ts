import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeRoles, platformEvents } from '@svc/db'
import { createSubscription } from '@svc/events'
import { jobsSchema, migrateQueue } from '@svc/queue'
import { makeProject, openWorld } from '@svc/services/testing'
import { createVault } from '@svc/vault'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { bundleProcess } from '../../../scripts/bundle-process.ts'

/** Each with events on their way; `KILLS` and `EVENTS`, of each, ask for more. */
const kills = Number(process.env['KILLS'] ?? 3)
const eventsPerKill = Number(process.env['EVENTS'] ?? 30)
/** The same in every file of this run: roles are those of the server. */
const password = 'only-for-these-tests'
const master_key = randomBytes(32)
const main = await bundleProcess(new URL('../src/main.ts', import.meta.url))

const world = await openWorld({ outbound_addresses: ['127.0.0.0/8'] })
Object.assign(world.base, { vault: createVault(master_key, { key_id: 'test' }) })
await migrateQueue(world.connection_string)
await makeRoles(world.connection_string, { passwords: { svc_channel: password }, jobs_schema: jobsSchema })
const folder = await mkdtemp(join(tmpdir(), 'svc-channel-worker-'))
const children = new Set<ChildProcess>()
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** A channel-worker by itself, with its own role of PostgreSQL. */
function startWorker(): ChildProcess {
  const url = new URL(world.connection_string)
  Object.assign(url, { username: 'svc_channel', password })
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: url.href,
      SVC_PUBLIC_URL: 'http://127.0.0.1:1',
      SVC_REPOSITORIES_DIR: join(folder, 'repositories'),
      SVC_MIRRORS_DIR: join(folder, 'mirrors'),
      SVC_MASTER_KEY: master_key.toString('hex'),
      SVC_MASTER_KEY_ID: 'test',
      SVC_INTERNAL_PORT: '0',
      SVC_OUTBOUND_ADDRESSES: '127.0.0.0/8',
      SVC_EVENTS_RETRY_SECONDS: Array(20).fill('0').join(','),
      SVC_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

interface Arrival {
  readonly id: string
  readonly sequence: number
}

/** Takes every delivery but each `refused`-th, and tells how many came. */
async function startReceiver(refused: number) {
  const arrivals: Arrival[] = []
  const waiting: { readonly count: number; readonly go: () => void }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const event: Arrival = JSON.parse(Buffer.concat(chunks).toString())
      arrivals.push({ id: event.id, sequence: event.sequence })
      response.writeHead(arrivals.length % refused === 0 ? 500 : 200).end()
      for (const { count, go } of waiting) if (arrivals.length >= count) go()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = Object(server.address())
  const reached = (count: number) =>
    new Promise<void>((go) => {
      if (arrivals.length >= count) go()
      else waiting.push({ count, go })
    })
  return { url: `http://127.0.0.1:${port}/`, arrivals, reached }
}

test(`workers that are killed ${kills} times lose nothing, repeat only ids, and keep a strict order`, async () => {
  const project = await makeProject(world)
  const { account_id, project_id } = project
  const [loose, strict] = [await startReceiver(7), await startReceiver(11)]
  for (const [url, ordering] of [
    [loose.url, 'none'],
    [strict.url, 'strict'],
  ] as const)
    await createSubscription(project.ctx, { project_id, url, types: ['trigger.*'], ordering })
  const happen = async () => {
    const data = { slug: 'a', type: null, fire_id: null, session_id: null, reason: null }
    const ids = []
    for (let n = 0; n < eventsPerKill; n += 1)
      ids.push(await platformEvents.record(world.db, { account_id, project_id, type: 'trigger.fired', data }))
    return ids
  }
  const ids: string[] = []
  let worker = startWorker()
  for (let n = 1; n <= kills; n += 1) {
    ids.push(...(await happen()))
    // In the middle of it: some have arrived, and more are on their way.
    await Promise.all([
      loose.reached(loose.arrivals.length + eventsPerKill / 3),
      strict.reached(strict.arrivals.length + 5),
    ])
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    // The time of a lease goes by.
    await sql`update event_deliveries set lease_until = now() where state = 'sending'`.execute(world.db)
    worker = startWorker()
  }
  await expect
    .poll(async () => {
      const { rows } = await sql<{ state: string; n: number }>`
        select state, count(*)::integer as n from event_deliveries group by 1 order by 1`.execute(world.db)
      return rows
    })
    .toEqual([{ state: 'delivered', n: 2 * ids.length }])
  for (const { arrivals } of [loose, strict])
    expect(new Set(arrivals.map(({ id }) => id))).toEqual(new Set(ids))
  // A repeat is the one before it, once more.
  const order = strict.arrivals.map(({ sequence }) => sequence)
  expect(order).toEqual([...order].sort((a, b) => a - b))
  const { rows } = await sql<{ gaps: number }>`
    select max(seq) - count(*)::integer as gaps from platform_events where account_id = ${account_id}`.execute(
    world.db,
  )
  expect(rows).toEqual([{ gaps: 0 }])
  worker.kill('SIGTERM')
  expect(await once(worker, 'exit')).toEqual([0, null])
})
