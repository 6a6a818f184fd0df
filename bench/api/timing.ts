import { createHmac, randomBytes } from 'node:crypto'
import { judgeWebhook } from '@svc/trigger'
import { round } from '../measure.ts'

export interface TimingFigures {
  readonly what: string
  readonly samples: number
  /** The distance of the means, in standard errors: beyond 4.5 the two do not take the same time. */
  readonly t: number
  readonly difference_ns: number
}

/** Repetitions in one sample: a single comparison is shorter than the clock is fine. */
const repeats = 64
/** The share of the samples that counts: the slower ones were interrupted, and say nothing of the comparison. */
const kept = 0.8

/**
 * Wrong guesses that share nothing with the right value, beside wrong guesses that share all but the end: who compares
 * letter by letter takes longer for the second. A comparison that does so on purpose shows that this would be seen.
 */
export function measureTiming(samples: number): { cases: TimingFigures[]; control: TimingFigures } {
  const secret = randomBytes(24).toString('hex')
  const body = Buffer.from('{"action":"opened"}')
  const now = new Date()
  const judge = (name: string, value: string) =>
    judgeWebhook({ headers: (asked) => (asked === name ? value : null), body }, [secret], now)
  const right = createHmac('sha256', secret).update(body).digest('hex')
  const ways = {
    'a webhook’s token': ['x-svc-token', secret],
    'a webhook’s HMAC': ['x-svc-signature', right],
  }
  const cases = Object.entries(ways).map(([what, [name = '', value = '']]) => {
    const [early, late] = wrong(value)
    return compareTimes(
      what,
      samples,
      () => judge(name, early),
      () => judge(name, late),
    )
  })
  // Long enough that even a fast machine needs measurably longer to reach its end.
  const long = randomBytes(8_192).toString('hex')
  const [early, late] = wrong(long)
  const control = compareTimes(
    'a comparison that stops early',
    samples,
    () => early === long,
    () => late === long,
  )
  return { cases, control }
}

/** The same text but for its first digit, and but for its last. */
function wrong(value: string): [early: string, late: string] {
  const other = (digit: string | undefined) => (digit === '0' ? '1' : '0')
  const copy = (text: string) => Buffer.from(text).toString()
  return [copy(other(value[0]) + value.slice(1)), copy(value.slice(0, -1) + other(value.at(-1)))]
}

function compareTimes(
  what: string,
  samples: number,
  early: () => unknown,
  late: () => unknown,
): TimingFigures {
  const times: { early: number[]; late: number[] } = { early: [], late: [] }
  const sample = (work: () => unknown) => {
    const began = process.hrtime.bigint()
    for (let index = 0; index < repeats; index += 1) sink = work()
    return Number(process.hrtime.bigint() - began) / repeats
  }
  for (let index = -samples / 10; index < samples; index += 1) {
    // The order is drawn, so that nothing regular beside it meets one of them alone.
    const isEarly = Math.random() < 0.5
    const time = sample(isEarly ? early : late)
    if (index >= 0) times[isEarly ? 'early' : 'late'].push(time)
  }
  const limit = [...times.early, ...times.late].toSorted((a, b) => a - b)[Math.floor(samples * kept)] ?? 0
  const [one, other] = [times.early, times.late].map((all) => moments(all.filter((time) => time <= limit)))
  if (one === undefined || other === undefined) throw new Error('Nothing was measured')
  const error = Math.sqrt(one.variance / one.count + other.variance / other.count)
  return {
    what,
    samples,
    t: round((other.mean - one.mean) / error),
    difference_ns: round(other.mean - one.mean),
  }
}

/** Results go here, so that no compiler leaves the work out. */
export let sink: unknown

function moments(values: readonly number[]): { count: number; mean: number; variance: number } {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)
  return { count, mean, variance }
}
