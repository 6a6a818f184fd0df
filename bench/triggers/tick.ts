import { randomUUID } from 'node:crypto'
import { createLogger, createMetrics } from '@svc/boot'
import { noMaintenance } from '@svc/context'
import { createDatabase, type Db, migrate } from '@svc/db'
import { fireNextDue } from '@svc/services'
import pg from 'pg'
import { median, quantile, round, timed } from './measure.ts'
import { claimPlan, due, makeDue, rowsRead, seed } from './seed.ts'

export interface TickFigures {
  readonly triggers: number
  readonly p50_ms: number
  readonly p95_ms: number
  readonly rows_read: number
  /** Of a fire's transaction, with its begin and commit. */
  readonly statements: number
  /** By the smallest case, in the same turns: the median of the ratios turn by turn, and the rows. */
  readonly time_ratio: number
  readonly rows_ratio: number
  readonly claim_plan: string
}

interface Case {
  readonly triggers: number
  readonly url: string
  readonly client: pg.Client
  readonly times: number[]
  readonly rows: number[]
  statements: number
}

const log = createLogger({ name: 'bench', level: 'error' })
const metrics = createMetrics('bench')
const settings = {
  api_url: 'http://127.0.0.1/v1',
  llm_base_url: null,
  session_cap: 1_000_000,
  idle_after_seconds: 900,
  trigger_idle_after_seconds: 300,
  ask_timeout_seconds: 1800,
}

/** A tick that fires the same number of due triggers, among ever more that are not; the cases take turns. */
export async function measureTicks(
  admin: string,
  sizes: readonly number[],
  turns: number,
): Promise<{ figures: TickFigures[]; urls: ReadonlyMap<number, string> }> {
  const cases: Case[] = []
  for (const triggers of sizes) cases.push(await openCase(admin, triggers))
  for (let turn = 0; turn <= turns; turn += 1) {
    const order = turn % 2 === 0 ? cases : cases.toReversed()
    for (const one of order) {
      const { ms, rows, statements } = await tick(one)
      one.statements = statements
      // The first turn fills caches and is not counted.
      if (turn === 0) continue
      one.times.push(ms)
      one.rows.push(rows)
    }
    process.stderr.write(turn === turns ? '.\n' : '.')
  }
  const [smallest] = cases
  const figures: TickFigures[] = []
  for (const { triggers, times, rows, statements, client } of cases) {
    figures.push({
      triggers,
      p50_ms: median(times),
      p95_ms: quantile(times, 0.95),
      rows_read: median(rows),
      statements: round(statements),
      time_ratio: median(times.map((ms, index) => ms / (smallest?.times[index] ?? ms))),
      rows_ratio: round(median(rows) / median(smallest?.rows ?? rows)),
      claim_plan: await claimPlan(client),
    })
    await client.end()
  }
  return { figures, urls: new Map(cases.map(({ triggers, url }) => [triggers, url])) }
}

async function openCase(admin: string, triggers: number): Promise<Case> {
  const name = `ticks_${triggers}`
  const root = new pg.Client({ connectionString: admin })
  await root.connect()
  await root.query(`create database ${name}`)
  await root.end()
  const url = new URL(admin)
  url.pathname = `/${name}`
  await migrate(url.href)
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  process.stderr.write(`${triggers} triggers `)
  await seed(client, triggers)
  return { triggers, url: url.href, client, times: [], rows: [], statements: 0 }
}

async function tick({ client, url }: Case): Promise<{ ms: number; rows: number; statements: number }> {
  await makeDue(client, new Date(Date.now() - 1000))
  await client.query('select pg_stat_force_next_flush()')
  const before = await rowsRead(client)
  // One connection of its own, whose end has its counters written.
  const counter = countStatements()
  const db = createDatabase(url, { max: 1 }).withPlugin(counter)
  await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute()
  const ctx = {
    db,
    log,
    metrics,
    settings,
    maintenance: () => noMaintenance,
    now: () => new Date(),
    newId: () => randomUUID(),
    enqueue: async () => undefined,
  }
  let fired = 0
  const ms = await timed(async () => {
    while (await fireNextDue(ctx, { catch_up_ms: 3_600_000 })) fired += 1
  })
  if (fired !== due) throw new Error(`${fired} of ${due} triggers fired`)
  const statements = counter.count() / due + 2
  await db.destroy()
  return { ms, rows: (await settled(client)) - before, statements }
}

/** Everything that is asked of the database but begin and commit. */
function countStatements(): Parameters<Db['withPlugin']>[0] & { count(): number } {
  let asked = 0
  return {
    count: () => asked,
    transformQuery: ({ node }) => {
      asked += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

/** Once the other connection has gone, its counters stand still. */
async function settled(client: pg.Client): Promise<number> {
  for (;;) {
    const { rows } = await client.query(
      'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    if (rows.length === 0) return rowsRead(client)
  }
}
