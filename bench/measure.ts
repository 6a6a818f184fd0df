export interface Summary {
  readonly runs: number
  readonly p50_ms: number
  readonly p95_ms: number
}

export interface Comparison {
  readonly ours: Summary
  readonly peer: Summary
  /** p50 of ours by p50 of the peer's. */
  readonly ratio: number
}

type Work = (index: number) => Promise<unknown>

/** Ours and its peer take turns, so that whatever else the machine does meets both; who begins alternates. */
export async function compare(runs: number, ours: Work, peer: Work): Promise<Comparison> {
  const times: { ours: number[]; peer: number[] } = { ours: [], peer: [] }
  const turns = [
    async (index: number) => times.peer.push(await timed(() => peer(index))),
    async (index: number) => times.ours.push(await timed(() => ours(index))),
  ]
  for (let index = 0; index < runs; index += 1) {
    for (const turn of index % 2 === 0 ? turns : turns.toReversed()) await turn(index)
  }
  const [own, other] = [summarise(times.ours), summarise(times.peer)]
  return { ours: own, peer: other, ratio: round(own.p50_ms / other.p50_ms) }
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export function summarise(times: readonly number[]): Summary {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { runs: sorted.length, p50_ms: at(0.5), p95_ms: at(0.95) }
}

export const round = (value: number): number => Math.round(value * 100) / 100
