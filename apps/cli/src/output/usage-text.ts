import { counted } from '@svc/facts'
import type { ModelUsage } from '@svc/sdk'

const number = new Intl.NumberFormat('en-US')
const money = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
})

/** Calls of models in a line; null where there were none. */
export function usageText({
  calls,
  input_tokens,
  output_tokens,
  cost_micros,
  unpriced_calls,
}: ModelUsage): string | null {
  if (calls === 0) return null
  const tokens = `${number.format(input_tokens)} tokens in, ${number.format(output_tokens)} out`
  const unpriced = unpriced_calls === 0 ? '' : ` and ${unpriced_calls} without a price`
  return `${money.format(cost_micros / 1_000_000)}${unpriced} (${counted(calls, 'call')}, ${tokens})`
}
