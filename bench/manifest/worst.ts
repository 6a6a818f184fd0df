import { judge } from '@svc/manifest'
import { hostileFiles } from '@svc/manifest/testing'

export interface Worst {
  readonly name: string
  readonly bytes: number
  readonly median_ms: number
  /** of the whole process, its garbage collector and compiler included; other processes do not stretch it */
  readonly median_cpu_ms: number
}

/** The slowest verdicts on files that are made to be slow, each at a limit of the validator. */
export function worstVerdicts(repetitions: number, listed: number): readonly Worst[] {
  return hostileFiles(1)
    .map(({ name, path, text }): Worst => {
      const runs = Array.from({ length: repetitions }, () => {
        const start = performance.now()
        const cpu = process.cpuUsage()
        judge({ files: { [path]: text } })
        const { user, system } = process.cpuUsage(cpu)
        return { wall: performance.now() - start, cpu: (user + system) / 1000 }
      })
      return {
        name,
        bytes: Buffer.byteLength(text),
        median_ms: median(runs.map((run) => run.wall)),
        median_cpu_ms: median(runs.map((run) => run.cpu)),
      }
    })
    .toSorted((a, b) => b.median_ms - a.median_ms)
    .slice(0, listed)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
