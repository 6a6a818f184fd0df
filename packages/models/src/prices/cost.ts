import type { Usage } from '../calls/usage.ts'
import type { PriceCard } from './card.ts'
import { ratesAt } from './rates.ts'

const ratesAreFor = 1_000_000n

/** The price of a call, which its row and its card give for ever: micro-dollars, rounded up once. */
export function costMicros(usage: Usage, card: PriceCard): bigint {
  const rates = ratesAt(card, usage.input_tokens)
  const write_5m = usage.cache_write_tokens - usage.cache_write_1h_tokens
  const fresh = usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens
  const sum =
    BigInt(fresh) * rates.input +
    BigInt(usage.cache_read_tokens) * rates.cache_read +
    BigInt(write_5m) * rates.cache_write +
    BigInt(usage.cache_write_1h_tokens) * rates.cache_write_1h +
    BigInt(usage.output_tokens - usage.reasoning_tokens) * rates.output +
    BigInt(usage.reasoning_tokens) * rates.reasoning
  return microsOf(sum) + BigInt(card.request ?? 0)
}

/** Micro-dollars of tokens times rates, rounded up. */
export function microsOf(tokensTimesRate: bigint): bigint {
  return (tokensTimesRate + ratesAreFor - 1n) / ratesAreFor
}
