import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '@svc/boot'
import { openPlatform, platformEnv } from '@svc/platform'
import { startTriggerScheduler } from '@svc/services'
import pg from 'pg'
import { z } from 'zod'
import { quantile } from './measure.ts'
import { due, makeDue, type Spread } from './seed.ts'

export interface DelayFigures {
  readonly fires: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly late_by_ms: number
}

/** The delay of a session after its nominal time, with a scheduler that sleeps until then. */
export async function measureDelay(
  url: string,
  folder: string,
  rounds: number,
  spread: Spread,
): Promise<DelayFigures> {
  const env = z.object(platformEnv).parse({
    DATABASE_URL: url,
    SVC_PUBLIC_URL: 'http://127.0.0.1',
    SVC_REPOSITORIES_DIR: join(folder, 'managed'),
    SVC_MIRRORS_DIR: join(folder, 'mirrors'),
    SVC_MASTER_KEY: '0'.repeat(64),
    SVC_INTERNAL_PORT: '0',
    SVC_SESSION_CAP: '1000000',
  })
  const platform = await openPlatform(env, createLogger({ name: 'bench', level: 'error' }))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const scheduler = startTriggerScheduler(
    { ...platform.ctx, enqueue: async () => undefined },
    { interval_ms: 60_000, catch_up_ms: 3_600_000 },
  )
  const delays: number[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      const at = new Date((Math.floor(Date.now() / 1000) + 3) * 1000)
      await makeDue(client, at, spread)
      await client.query(`select pg_notify('svc_triggers', '{}')`)
      delays.push(...(await delaysOf(client)))
    }
  } finally {
    await scheduler.close()
    await client.end()
    await platform.close()
  }
  return {
    fires: delays.length,
    p50_ms: quantile(delays, 0.5),
    p99_ms: quantile(delays, 0.99),
    late_by_ms: quantile(delays, 1),
  }
}

async function delaysOf(client: pg.Client): Promise<number[]> {
  for (;;) {
    const { rows } = await client.query<{ ms: string }>(
      `select extract(epoch from fired_at - scheduled_at) * 1000 as ms from trigger_fires where status = 'fired'`,
    )
    if (rows.length === due) return rows.map(({ ms }) => Number(ms))
    await sleep(100)
  }
}
