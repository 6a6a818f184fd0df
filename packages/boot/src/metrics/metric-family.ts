/** A process that answers `/metrics`. `npm start` is all of them in one. */
export const services = [
  'api',
  'gateway',
  'executor',
  'scheduler',
  'merge-worker',
  'sandbox-worker',
  'app-worker',
  'app-proxy',
  'channel-worker',
] as const
export type ServiceName = (typeof services)[number]

/** From a fast query to the longest request, in seconds. */
export const ofRequests = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25]
/** From a short job to the longest turn of an agent, in seconds. */
export const ofWork = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600]

export interface MetricFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** None holds an id, a path or a person. */
  readonly labels: readonly string[]
  readonly help: string
  /** The question of an operator that it answers. */
  readonly question: string
  /** The services that expose it from their start. */
  readonly owners: readonly ServiceName[]
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[]
  /** The labels whose every value is known beforehand: series of these alone begin at 0. */
  readonly values?: LabelValues
}

type LabelValues = Readonly<Record<string, readonly string[]>>

export function counter<const L extends readonly string[]>(
  labels: L,
  help: string,
  question: string,
  values: LabelValues = {},
) {
  return { type: 'counter', labels, help, question, values } as const
}

export function gauge<const L extends readonly string[]>(
  labels: L,
  help: string,
  question: string,
  values: LabelValues = {},
) {
  return { type: 'gauge', labels, help, question, values } as const
}

export function histogram<const L extends readonly string[]>(
  labels: L,
  help: string,
  question: string,
  buckets: readonly number[],
  values: LabelValues = {},
) {
  return { type: 'histogram', labels, help, question, buckets, values } as const
}

type Owned<F> = { readonly [N in keyof F]: F[N] & Pick<MetricFamily, 'owners'> }

export function ownedBy<F extends Readonly<Record<string, object>>>(
  owners: readonly ServiceName[],
  families: F,
): Owned<F> {
  const owned = Object.entries(families).map(([name, family]) => [name, { ...family, owners }])
  // Object.fromEntries forgets which name has which family.
  return Object.fromEntries(owned) as Owned<F>
}
