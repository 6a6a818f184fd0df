export interface Timing {
  readonly repetitions: number
  readonly median_ms: number
  readonly p95_ms: number
  readonly min_ms: number
}

/**
 * Times the tasks in turns, so that whatever else the machine does meets all of them alike. Each is warmed up first.
 * The order of a turn alternates: what runs second pays for the garbage of what ran first.
 */
export function measure<Name extends string>(
  tasks: Readonly<Record<Name, () => unknown>>,
  { warm_up, repetitions }: { readonly warm_up: number; readonly repetitions: number },
): Readonly<Record<Name, Timing>> {
  const names = Object.keys(tasks).filter((name): name is Name => Object.hasOwn(tasks, name))
  const times = new Map(names.map((name): [Name, number[]] => [name, []]))
  for (let turn = -warm_up; turn < repetitions; turn++) {
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      const start = performance.now()
      tasks[name]()
      const taken = performance.now() - start
      if (turn >= 0) times.get(name)?.push(taken)
    }
  }
  return record(names, (name) => timing(times.get(name) ?? []))
}

function timing(times: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { repetitions: sorted.length, median_ms: at(0.5), p95_ms: at(0.95), min_ms: at(0) }
}

/** The one place that tells the compiler that every name has got its value. */
function record<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>
}
