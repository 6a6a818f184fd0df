import { writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform } from 'node:os'
import { join } from 'node:path'
import { judge } from '@svc/manifest'
import { parse, parseDocument } from 'yaml'
import { healthBeside } from './health.ts'
import { large, typical } from './manifests.ts'
import { measure } from './measure.ts'
import type { Timing } from './measure.ts'
import { worstVerdicts } from './worst.ts'

const promises = { ratio: 2, typical_ms: 2, verdict_ms: 250, health_added_ms: 50 }

interface Row {
  readonly manifest: string
  readonly bytes: number
  readonly lines: number
  readonly yaml_parse: Timing
  readonly yaml_parse_document: Timing
  readonly verdict: Timing
  /** medians: the whole verdict (which includes its own parsing) over `yaml` turning the text into data */
  readonly ratio: number
}

const rows = [
  row('typical', typical, { warm_up: 300, repetitions: 1000 }),
  row('200 agents, 500 triggers', large(), { warm_up: 30, repetitions: 100 }),
]

for (const { manifest, bytes, lines, yaml_parse, verdict, ratio } of rows) {
  console.log(`${manifest} (${bytes} bytes, ${lines} lines)`)
  console.log(`  yaml parse alone  median ${ms(yaml_parse.median_ms)}  p95 ${ms(yaml_parse.p95_ms)}`)
  console.log(`  verdict           median ${ms(verdict.median_ms)}  p95 ${ms(verdict.p95_ms)}`)
  console.log(`  ratio             ${ratio.toFixed(2)}`)
}

const worst = worstVerdicts(5, 8)
console.log('slowest of the files made to be slow: processor time, elapsed time')
for (const { name, bytes, median_ms, median_cpu_ms } of worst) {
  console.log(`  ${ms(median_cpu_ms).padStart(10)} ${ms(median_ms).padStart(10)}  ${name} (${bytes} bytes)`)
}

const health = await healthBeside(5)
console.log(`GET /v1/health beside ${health.previews_at_once} previews at once of ${health.bytes} bytes each`)
console.log(`  of harmless ones  p50 ${ms(health.quiet.p50_ms)}  p99 ${ms(health.quiet.p99_ms)}`)
console.log(`  of hostile ones   p50 ${ms(health.hostile.p50_ms)}  p99 ${ms(health.hostile.p99_ms)}`)
console.log(`  p99               ${health.p99_ratio.toFixed(1)}x, ${ms(health.p99_added_ms)} more`)

const [small, big] = rows
const held = {
  [`200 agents and 500 triggers within ${promises.ratio}x of parsing alone`]:
    (big?.ratio ?? Infinity) <= promises.ratio,
  [`a typical manifest under ${promises.typical_ms} ms`]:
    (small?.verdict.median_ms ?? Infinity) < promises.typical_ms,
  [`a verdict within ${promises.verdict_ms} ms for anything`]:
    (worst[0]?.median_ms ?? Infinity) <= promises.verdict_ms,
  [`GET /v1/health beside hostile files at most ${promises.health_added_ms} ms later at p99`]:
    health.p99_added_ms <= promises.health_added_ms,
}
for (const [promise, is] of Object.entries(held)) console.log(`${is ? 'held  ' : 'BROKEN'}  ${promise}`)

const machine = {
  node: process.version,
  platform: `${platform()}-${arch()}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  load_average: loadavg()[0] ?? 0,
}
const result = { measured_at: new Date().toISOString(), machine, promises: held, rows, worst, health }
writeFileSync(join(import.meta.dirname, 'result.json'), `${JSON.stringify(result, null, 2)}\n`)
if (Object.values(held).includes(false)) process.exitCode = 1

function row(manifest: string, text: string, runs: { warm_up: number; repetitions: number }): Row {
  const verdict = () => judge({ files: { 'svc.yaml': text } })
  const { valid, issues } = verdict()
  if (!valid || issues.length > 0) throw new Error(`${manifest}: ${JSON.stringify(issues.slice(0, 3))}`)
  const times = measure(
    { yaml_parse: () => parse(text), yaml_parse_document: () => parseDocument(text), verdict },
    runs,
  )
  const ratio = times.verdict.median_ms / times.yaml_parse.median_ms
  return { manifest, bytes: Buffer.byteLength(text), lines: text.split('\n').length, ...times, ratio }
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`
}
