import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLogger } from '@svc/boot'
import { migrateSchema } from '@svc/platform'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { machine } from '../machine.ts'
import { createBenchDatabase, measureReads, type Rates, type ReadFigures } from './reads.ts'
import { measureTiming } from './timing.ts'

/** See README.md. */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
  },
})
/** `reads` or `timing`; the reads when nothing is named. */
const asked = values.only ?? 'reads'
const plan = values.quick
  ? { turns: 6, turn_ms: 700, warm_up: 500, samples: 20_000 }
  : { turns: 20, turn_ms: 3_000, warm_up: 5_000, samples: 200_000 }
const apart = 4.5

interface Verdict {
  readonly what: string
  readonly promise: string
  readonly measured: string
  readonly held: boolean
}

const verdicts: Verdict[] = []
let reads: ReadFigures | null = null
let timing: ReturnType<typeof measureTiming> | null = null
if (asked === 'reads') {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-api-'))
  const log = createLogger({ name: 'bench', level: 'error' })

  const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log })
  try {
    const url = await createBenchDatabase(postgres.connection_string)
    await migrateSchema({ DATABASE_URL: url })
    reads = await measureReads(url, folder, plan)
  } finally {
    await postgres.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const { one_row, unchanged } = reads
  verdicts.push(
    {
      what: 'an authenticated read of one row, beside a bare route with one select',
      promise: 'at least 0.6x its rate',
      measured: `${one_row.ours_per_second}/s beside ${one_row.peer_per_second}/s: ${one_row.ratio}x${cpuWords(one_row)}`,
      held: one_row.ratio >= 0.6,
    },
    {
      what: `a 304 on a list of ${unchanged.sessions} sessions, beside the 200`,
      promise: 'at most 0.3x of its cost',
      measured: `${unchanged.ours_per_second}/s beside ${unchanged.peer_per_second}/s: ${unchanged.cost}x${cpuWords(unchanged)}`,
      held: unchanged.cost <= 0.3,
    },
  )
} else {
  timing = measureTiming(plan.samples)
  const { cases, control } = timing
  const words = ({ t, difference_ns }: (typeof cases)[number]) => `t = ${t}, ${difference_ns} ns apart`
  verdicts.push(
    ...cases.map((one) => ({
      what: `${one.what}: a guess that is wrong early, beside one that is wrong late`,
      promise: `no further apart than ${apart} standard errors`,
      measured: words(one),
      held: Math.abs(one.t) <= apart,
    })),
    {
      what: control.what,
      promise: 'is seen, or the others say nothing',
      measured: words(control),
      held: Math.abs(control.t) > apart,
    },
  )
}

function cpuWords({ cpu_ms }: Rates): string {
  return cpu_ms === null ? '' : `, ${cpu_ms.ours} ms of processor beside ${cpu_ms.peer} ms (${cpu_ms.ratio}x)`
}

const where = machine()
console.info(`load average ${where.load_average}`)
for (const { what, promise, measured, held } of verdicts)
  console.info(`${held ? 'held  ' : 'MISSED'} ${what}: ${measured} (${promise})`)
const report = {
  bench: 'api',
  measured_at: new Date().toISOString(),
  quick: values.quick,
  machine: where,
  verdicts,
  reads,
  timing,
}
if (values.json !== undefined) {
  await mkdir(dirname(values.json), { recursive: true })
  await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
}
if (verdicts.some(({ held }) => !held)) process.exitCode = 1
