import { microsOf } from '../prices/cost.ts'
import { dearestRates } from '../prices/rates.ts'
import type { PriceCard } from '../prices/card.ts'

/** An output limit where neither the client nor the model has one. */
export const defaultOutputLimit = 32_768
/** Output that is worth a call: one that cannot be given this much is refused. */
const leastOutput = 16

/** A call as its budgets see it before it starts. */
export interface CallBounds {
  readonly card: PriceCard
  /** `inputBound`, or `countedInputBound`. */
  readonly input_bound: number
  /** Output tokens of each answer: `outputLimit`; 0 for embeddings. */
  readonly output_limit: number
  /** Answers that are asked for. */
  readonly n: number
  /** The request marks parts that the provider keeps for an hour, at another price. */
  readonly caches_1h?: boolean
}

/** The most output of one answer, before any budget: the client's limit, at most the model's. */
export function outputLimit(asked: number | null, max_output_tokens: number | null): number {
  return Math.min(
    asked ?? max_output_tokens ?? defaultOutputLimit,
    max_output_tokens ?? Number.POSITIVE_INFINITY,
  )
}

/** The most that the call can cost: what is set aside for it where there is room. */
export function wantMicros(call: CallBounds): bigint {
  return maxMicros(call, call.output_limit)
}

/** The least that a call needs to be worth a start. */
export function floorMicros(call: CallBounds): bigint {
  return maxMicros(call, Math.min(leastOutput, call.output_limit))
}

/** The output limit that `granted` pays for, never above the call's own; null where no answer has room. */
export function clampedOutput(call: CallBounds, granted: bigint): number | null {
  const { card, input_bound, output_limit, n } = call
  const rates = ratesOf(call)
  const forOutput = (granted - BigInt(card.request ?? 0)) * 1_000_000n - BigInt(input_bound) * rates.input
  if (forOutput < 0n) return null
  const rate = rates.output * BigInt(n)
  if (rate === 0n) return output_limit
  const paid = forOutput / rate
  if (paid >= BigInt(output_limit)) return output_limit
  return paid === 0n ? null : Number(paid)
}

/** The count of output tokens at which a stream is cut. A provider that honours its limit never gets there. */
export function cutLimit(output_limit: number, n: number): number {
  return Math.floor((output_limit * n * 5) / 4) + 16
}

function maxMicros(call: CallBounds, output: number): bigint {
  const rates = ratesOf(call)
  const sum = BigInt(call.input_bound) * rates.input + BigInt(output) * BigInt(call.n) * rates.output
  return microsOf(sum) + BigInt(call.card.request ?? 0)
}

function ratesOf({ card, input_bound, caches_1h = false }: CallBounds) {
  return dearestRates(card, input_bound, { caches_1h })
}
