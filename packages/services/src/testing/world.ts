import { randomBytes, randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Principal } from '@svc/access'
import { createLogger, createMetrics, type Metrics } from '@svc/boot'
import { type BaseContext, type Context, type Settings, watchMaintenance } from '@svc/context'
import { createDatabase, type Db, DatabaseListener } from '@svc/db'
import { testDatabase } from '@svc/db/testing'
import { makeRepositories } from '@svc/git/testing'
import { openTestStore } from '@svc/objects/testing'
import { createMemoryProvider, type MemoryProvider } from '@svc/sandbox/providers'
import { createVault } from '@svc/vault'
import { afterAll } from 'vitest'
import type { SandboxContext } from '../index.ts'
import { runJob } from './run-job.ts'
import { startStubDaemon, type StubDaemon } from './stub-daemon.ts'
import { createTestQueue, type TestQueue } from './test-queue.ts'

export interface Clock {
  now(): Date
  advance(ms: number): void
}

/** A platform of its own for one test file: real rows, real git, jobs that run when the test says so. */
export interface World {
  readonly connection_string: string
  readonly db: Db
  readonly base: BaseContext
  readonly queue: TestQueue
  readonly clock: Clock
  readonly metrics: Metrics
  readonly provider: MemoryProvider
  readonly daemon: StubDaemon
  /** Folder of the object store. */
  readonly objects_dir: string
  /** Bare managed repositories, by project. */
  gitDir(project_id: string): string
  as(principal: Principal, overrides?: Partial<Context>): Context
  /** The context that a worker runs its jobs with. */
  worker(overrides?: Partial<SandboxContext>): SandboxContext
}

export function testClock(): Clock {
  let time = Date.parse('2026-03-01T10:00:00.000Z')
  return {
    now: () => new Date(time),
    advance: (ms) => {
      time += ms
    },
  }
}

export async function openWorld(settings: Partial<Settings> = {}): Promise<World> {
  const ends: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    await queue.settled()
    for (const end of ends.reverse()) await end()
  })
  const database = await testDatabase()
  ends.push(() => database.close())
  const locks = createDatabase(database.connection_string, { max: 32 })
  ends.push(() => locks.destroy())
  const listener = new DatabaseListener(database.connection_string)
  ends.push(() => listener.close())
  const storage = await makeRepositories()
  ends.push(() => storage.remove())
  const objects = await openTestStore()
  ends.push(() => objects.remove())
  const daemon = await startStubDaemon()
  ends.push(() => daemon.close())

  const clock = testClock()
  const metrics = createMetrics('test')
  const provider = createMemoryProvider({ endpoint: () => ({ url: daemon.url }) })
  const queue = createTestQueue((job) => runJob(world.worker(), job))
  const log = createLogger({ name: 'test', level: 'silent' })
  const { now } = clock
  const watch = await watchMaintenance({ db: database.db, listener, now, log })
  ends.push(async () => watch.close())
  const base: BaseContext = {
    db: database.db,
    listener,
    enqueue: queue.enqueue,
    repositories: storage.repositories,
    objects: objects.store,
    vault: createVault(randomBytes(32), { key_id: 'test' }),
    settings: {
      api_url: 'https://svc.example.test/v1',
      llm_base_url: 'https://models.example.test/v1',
      session_cap: null,
      idle_after_seconds: 1800,
      trigger_idle_after_seconds: 300,
      ask_timeout_seconds: 1800,
      ...settings,
    },
    log,
    metrics,
    maintenance: watch.current,
    now,
    newId: randomUUID,
  }
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  const world: World = {
    connection_string: database.connection_string,
    db: database.db,
    base,
    queue,
    clock,
    metrics,
    provider,
    daemon,
    objects_dir: objects.folder,
    gitDir: (project_id) => `${storage.root}/${project_id}.git`,
    as: (principal, overrides = {}) => ({ ...base, principal, signal, ...overrides }),
    worker: (overrides = {}) => ({ ...base, locks, provider, machine: 'here', signal, ...overrides }),
  }
  return world
}
