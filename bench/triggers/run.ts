import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLogger } from '@svc/boot'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { type DelayFigures, measureDelay } from './delay.ts'
import type { Verdict } from './measure.ts'
import { due, type Spread } from './seed.ts'
import { measureTicks, type TickFigures } from './tick.ts'
import { measureWebhooks, type WebhookFigures } from './webhooks.ts'

/** See README.md. */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
  },
})
/** `ticks` or `webhooks`; both when nothing is named. */
const asked = (part: string) => values.only === undefined || values.only === part
const plan = values.quick
  ? { sizes: [1_000, 10_000, 100_000], turns: 5, rounds: 2, turn_ms: 1_000, seconds_at_500: 1 }
  : { sizes: [1_000, 10_000, 100_000, 1_000_000], turns: 20, rounds: 10, turn_ms: 3_000, seconds_at_500: 4 }
const measuredIn = 100_000

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-triggers-'))
const log = createLogger({ name: 'bench', level: 'error' })
const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log })
const verdicts: Verdict[] = []
let ticks: TickFigures[] | null = null
const delays: Partial<Record<Spread, DelayFigures>> = {}
let webhooks: WebhookFigures | null = null
try {
  if (asked('ticks')) {
    const measured = await measureTicks(postgres.connection_string, plan.sizes, plan.turns)
    ticks = measured.figures
    for (const { triggers, p50_ms, rows_read, time_ratio, rows_ratio, statements } of ticks)
      console.info(
        `${due} due among ${triggers}: p50 ${p50_ms} ms (${time_ratio}x), ${rows_read} rows of triggers (${rows_ratio}x), ${statements} statements a fire`,
      )
    const large = ticks.find((figures) => figures.triggers === measuredIn)
    verdicts.push({
      what: `a tick with ${due} due among ${measuredIn}`,
      promise: 'at most 1.3x of the same among 1,000',
      measured: `${large?.time_ratio}x in time, ${large?.rows_ratio}x in rows`,
      held: large !== undefined && large.time_ratio <= 1.3 && large.rows_ratio <= 1.3,
    })
    const spreads = { projects: 'of many accounts', account: 'of one account' } as const
    for (const spread of ['projects', 'account'] as const) {
      const url = measured.urls.get(measuredIn) ?? ''
      const delay = await measureDelay(url, join(folder, spread), plan.rounds, spread)
      delays[spread] = delay
      verdicts.push({
        what: `the session of a slot, ${due} at once ${spreads[spread]} among ${measuredIn}`,
        promise: 'p99 at most 1 s after its nominal time',
        measured: `p50 ${delay.p50_ms} ms, p99 ${delay.p99_ms} ms`,
        held: delay.p99_ms <= 1000,
      })
    }
  }
  if (asked('webhooks')) {
    webhooks = await measureWebhooks(postgres.connection_string, folder, { ...plan, turns: plan.turns / 2 })
    const { ours_per_second, peer_per_second, rate_ratio, at_500 } = webhooks
    verdicts.push(
      {
        what: 'webhooks kept and answered, beside a bare route with one insert',
        promise: 'at least 0.6x its rate',
        measured: `${ours_per_second}/s beside ${peer_per_second}/s: ${rate_ratio}x`,
        held: rate_ratio >= 0.6,
      },
      {
        what: 'a webhook at 500 a second',
        promise: 'p99 at most 50 ms',
        measured: `p99 ${at_500.ours.p99_ms} ms (bare route ${at_500.peer.p99_ms} ms)`,
        held: at_500.ours.p99_ms <= 50,
      },
    )
  }
} finally {
  await postgres.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

console.info(`load average ${loadavg()[0]}`)
for (const { what, promise, measured, held } of verdicts)
  console.info(`${held ? 'held  ' : 'MISSED'} ${what}: ${measured} (${promise})`)
const machine = {
  cpus: cpus().length,
  model: cpus()[0]?.model ?? '',
  node: process.version,
  load_average: loadavg()[0],
}
const report = {
  bench: 'triggers',
  measured_at: new Date().toISOString(),
  quick: values.quick,
  machine,
  verdicts,
  ticks,
  delays,
  webhooks,
}
if (values.json !== undefined) {
  await mkdir(dirname(values.json), { recursive: true })
  await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
}
if (verdicts.some(({ held }) => !held)) process.exitCode = 1
