import { createReader } from '../api/load.ts'
import { round, summarise } from '../measure.ts'

export interface Way {
  readonly url: string | (() => string)
  readonly headers: Readonly<Record<string, string>>
}

export interface Paired {
  readonly through: number
  readonly direct: number
  /** The median of the ratios of turns that stand beside each other. */
  readonly ratio: number
  /** The median of the differences of their p50. */
  readonly added_ms: number
}

/**
 * Requests a second by the proxy and directly, in short turns one after the other: what else the machine does meets both,
 * and a turn is compared with its neighbour alone.
 */
export async function paired(
  [through, direct]: readonly [Way, Way],
  { connections, turns, ms }: { readonly connections: number; readonly turns: number; readonly ms: number },
): Promise<Paired> {
  const readers = [through, direct].map(({ url, headers }) => createReader(url, headers, connections))
  const found: { rates: number[]; p50: number[] }[] = []
  for (let turn = 0; turn <= turns; turn += 1) {
    const order = turn % 2 === 0 ? [0, 1] : [1, 0]
    const [rates, p50]: [number[], number[]] = [[], []]
    for (const index of order) {
      const reader = readers[index]
      if (reader === undefined) continue
      const times: number[] = []
      const began = performance.now()
      const loop = async () => {
        while (performance.now() - began < ms) {
          const asked = performance.now()
          const { status } = await reader.read()
          if (status !== 200) throw new Error(`A request was answered with ${status}`)
          times.push(performance.now() - asked)
        }
      }
      await Promise.all(Array.from({ length: connections }, loop))
      rates[index] = times.length / ((performance.now() - began) / 1000)
      p50[index] = summarise(times).p50_ms
    }
    // The first turn warms up.
    if (turn > 0) found.push({ rates, p50 })
  }
  for (const reader of readers) reader.close()
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
  return {
    through: Math.round(median(found.map(({ rates: [ours = 0] }) => ours))),
    direct: Math.round(median(found.map(({ rates: [, theirs = 0] }) => theirs))),
    ratio: round(median(found.map(({ rates: [ours = 0, theirs = 1] }) => ours / theirs))),
    added_ms: round(median(found.map(({ p50: [ours = 0, theirs = 0] }) => ours - theirs))),
  }
}
