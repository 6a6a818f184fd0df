import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { machine } from './machine.ts'

/** One promise, and whether this run held it. */
export interface Verdict {
  readonly what: string
  readonly promise: string
  readonly measured: string
  readonly held: boolean
}

export interface Measured {
  readonly verdicts: readonly Verdict[]
  readonly figures: unknown
}

/** A bench of one command: `--quick` is its short form, `--json <file>` keeps its figures. Ends with 1 when a promise was missed. */
export async function runBench(
  bench: string,
  measure: (options: { readonly quick: boolean }) => Promise<Measured>,
): Promise<void> {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
  })
  const began = machine()
  const { verdicts, figures } = await measure({ quick: values.quick })
  const ended = machine()
  console.info(`load average ${began.load_average} before, ${ended.load_average} after, ${ended.cores} cores`)
  for (const { what, promise, measured, held } of verdicts)
    console.info(`${held ? 'held  ' : 'MISSED'} ${what}: ${measured} (${promise})`)
  if (values.json !== undefined) {
    await mkdir(dirname(values.json), { recursive: true })
    const report = {
      ...{ bench, measured_at: new Date().toISOString(), quick: values.quick },
      ...{ machine: ended, load_before: began.load_average, verdicts, figures },
    }
    await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
  }
  if (verdicts.some(({ held }) => !held)) process.exitCode = 1
}
