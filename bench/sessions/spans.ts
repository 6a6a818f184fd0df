/** The steps of one start, in milliseconds of the machine's clock. */
export type Steps = ReadonlyMap<string, number>

interface Span {
  readonly who: string
  readonly what: string
  readonly from: string
  readonly to: string
}

/** The parts of a start. Names before the dot say whose log has the step. */
export const spans: readonly Span[] = [
  { who: 'api', what: 'checks, writes the rows', from: 'client.posted', to: 'platform.written' },
  { who: 'api', what: 'enqueues the job', from: 'platform.written', to: 'platform.enqueued' },
  { who: 'api', what: 'cuts the branch', from: 'platform.enqueued', to: 'platform.cut' },
  { who: 'client', what: 'has its 201', from: 'client.posted', to: 'client.created' },
  { who: 'worker', what: 'hears of the job', from: 'platform.enqueued', to: 'platform.taken_up' },
  { who: 'worker', what: 'claims the session', from: 'platform.taken_up', to: 'platform.claimed' },
  { who: 'worker', what: 'reads what is there', from: 'platform.claimed', to: 'platform.read' },
  { who: 'worker', what: 'makes tokens, environment', from: 'platform.read', to: 'platform.environment' },
  { who: 'worker', what: 'provider makes or adopts', from: 'platform.environment', to: 'platform.made' },
  { who: 'worker', what: 'records or tells it', from: 'platform.made', to: 'platform.recorded' },
  { who: 'worker', what: 'waits for its health', from: 'platform.recorded', to: 'platform.healthy' },
  { who: 'worker', what: 'writes running', from: 'platform.healthy', to: 'platform.running' },
  { who: 'daemon', what: 'its process begins', from: 'platform.environment', to: 'daemon.process' },
  { who: 'daemon', what: 'Node and modules load', from: 'daemon.process', to: 'daemon.loaded' },
  { who: 'daemon', what: 'is told its session', from: 'platform.made', to: 'daemon.configured' },
  { who: 'daemon', what: 'opens itself', from: 'daemon.configured', to: 'daemon.listens' },
  { who: 'clone', what: 'is prepared', from: 'daemon.listens', to: 'daemon.clone' },
  { who: 'clone', what: 'git init, configuration', from: 'daemon.clone', to: 'daemon.initialised' },
  { who: 'clone', what: 'credential', from: 'daemon.clone', to: 'daemon.credential' },
  { who: 'clone', what: 'git fetch', from: 'daemon.credential', to: 'daemon.fetched' },
  { who: 'clone', what: 'settings', from: 'daemon.fetched', to: 'daemon.settings' },
  { who: 'clone', what: 'files', from: 'daemon.fetched', to: 'daemon.checked_out' },
  { who: 'runtime', what: 'its process begins', from: 'daemon.process', to: 'daemon.runtime_begun' },
  { who: 'runtime', what: 'starts', from: 'daemon.runtime_begun', to: 'daemon.runtime_listens' },
  { who: 'runtime', what: 'settings, models', from: 'daemon.runtime_asked', to: 'daemon.runtime_configured' },
  {
    who: 'runtime',
    what: 'waits for its settings',
    from: 'daemon.runtime_listens',
    to: 'daemon.runtime_settles',
  },
  { who: 'runtime', what: 'opens its session', from: 'daemon.runtime_settles', to: 'daemon.runtime_session' },
  { who: 'runtime', what: 'opens its events', from: 'daemon.runtime_session', to: 'daemon.runtime_stream' },
  { who: 'runtime', what: 'is given the prompt', from: 'daemon.runtime_stream', to: 'daemon.prompt_taken' },
  { who: 'runtime', what: 'asks the model', from: 'daemon.prompt_taken', to: 'daemon.first_token' },
  { who: 'client', what: 'reads the first piece', from: 'daemon.first_token', to: 'client.first_token' },
]

export interface Row {
  readonly who: string
  readonly what: string
  /** From the create. */
  readonly start_ms: number
  readonly length_ms: number
}

/** Medians over all starts; what a start did not have, such as a process of its own, is left out. */
export function medians(starts: readonly Steps[]): readonly Row[] {
  return spans.flatMap(({ who, what, from, to }) => {
    const found = starts.flatMap((steps) => {
      const [zero, start, end] = [steps.get('client.posted'), steps.get(from), steps.get(to)]
      if (zero === undefined || start === undefined || end === undefined) return []
      // A step from before the create is no part of this start.
      if (start < zero || end < zero) return []
      return [{ start: start - zero, length: Math.max(0, end - start) }]
    })
    if (found.length === 0) return []
    const start_ms = median(found.map(({ start }) => start))
    return [{ who, what, start_ms, length_ms: median(found.map(({ length }) => length)) }]
  })
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
}

const columns = 60

/** A line for each row, with a bar where it lies between the create and the first piece of the answer. */
export function draw(rows: readonly Row[]): string {
  const total = Math.max(1, ...rows.map(({ start_ms, length_ms }) => start_ms + length_ms))
  const column = (ms: number): number => Math.min(columns, Math.max(0, Math.round((ms / total) * columns)))
  const lines = rows.map(({ who, what, start_ms, length_ms }) => {
    const from = Math.min(columns - 1, column(start_ms))
    const bar = '█'.repeat(Math.max(1, column(start_ms + length_ms) - from))
    const numbers = `${String(start_ms).padStart(6)} ${`+${length_ms}`.padStart(6)}`
    return `  ${who.padEnd(8)}${what.padEnd(26)}${numbers}  ${' '.repeat(from)}${bar}`
  })
  return [
    `  ${'who'.padEnd(8)}${'does what'.padEnd(26)}${'at'.padStart(6)} ${'ms'.padStart(6)}`,
    ...lines,
  ].join('\n')
}
