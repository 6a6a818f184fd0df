import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { Client } from 'pg'
import { migrateQueue } from '../src/index.ts'
import { hasRedis, redisServer } from './redis-server.ts'

/** A store for jobs that the test may cut off and bring back. */
export interface TestBackend {
  readonly url: string
  /** Kills the server and returns when another one answers at the same address. */
  restart(): Promise<void>
  /** From now on it answers everything that concerns jobs with a refusal, until it accepts them again. */
  refuse(): Promise<void>
  accept(): Promise<void>
  close(): Promise<void>
}

async function onRedis(): Promise<TestBackend> {
  const server = await redisServer()
  await server.start()
  return {
    url: server.url,
    async restart() {
      await server.kill()
      await server.start()
    },
    refuse: () => server.limitMemory('1'),
    accept: () => server.limitMemory('0'),
    close: server.close,
  }
}

async function onPostgres(): Promise<TestBackend> {
  const data_dir = mkdtempSync(join(tmpdir(), 'svc-queue-'))
  const quiet = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  }
  const server = await startEmbeddedPostgres({ data_dir, log: quiet, settings: { fsync: 'off' } })
  await migrateQueue(server.connection_string)
  const ask = async (statement: string) => {
    const client = new Client({ connectionString: server.connection_string })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  return {
    url: server.connection_string,
    async restart() {
      const killed = server.pid
      process.kill(killed, 'SIGKILL')
      while (server.pid === killed) await new Promise((resolve) => setTimeout(resolve, 20))
    },
    refuse: () => ask('alter schema bullmq rename to elsewhere'),
    accept: () => ask('alter schema elsewhere rename to bullmq'),
    async close() {
      await server.close()
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}

if (!hasRedis) {
  const reason = 'redis-server is not installed: the queue is not tried on Redis'
  if (process.env.CI) throw new Error(reason)
  console.warn(reason)
}

export const backends: readonly (readonly [string, () => Promise<TestBackend>])[] = [
  ['PostgreSQL', onPostgres],
  ...(hasRedis ? ([['Redis', onRedis]] as const) : []),
]
