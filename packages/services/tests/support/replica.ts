import type { Context } from '@svc/context'
import { createDatabase, DatabaseListener } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { runJob } from '../../src/testing/run-job.ts'
import { createTestQueue } from '../../src/testing/test-queue.ts'
import type { World } from '../../src/testing/world.ts'

/** Another process of the platform: its own connections, LISTEN and jobs that run at once. */
export interface Replica {
  readonly context: Pick<Context, 'db' | 'listener' | 'enqueue'>
  settled(): Promise<void>
}

export async function startReplica(world: World): Promise<Replica> {
  const db = createDatabase(world.connection_string, { max: 4 })
  const locks = createDatabase(world.connection_string, { max: 4 })
  const listener = new DatabaseListener(world.connection_string)
  const queue = createTestQueue((job) => runJob(world.worker({ db, locks, listener }), job))
  queue.live = true
  afterAll(async () => {
    await queue.settled()
    await Promise.all([db.destroy(), locks.destroy(), listener.close()])
  })
  return {
    context: { db, listener, enqueue: queue.enqueue },
    settled: async () => {
      await queue.settled()
      for (const error of queue.failures) throw error
    },
  }
}

/** The end of a call, in a word. */
export async function endOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'done'
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

/** Waits until one connection waits in PostgreSQL for a lock that another one holds. */
export async function someoneWaits(world: World): Promise<void> {
  const blocked = sql`
    select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
  while ((await blocked.execute(world.db)).rows.length === 0);
}
