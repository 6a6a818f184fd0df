import { counted } from '@svc/facts'
import type { ModelUsage } from '@svc/sdk'
import { dollars } from './money.ts'

const compact = new Intl.NumberFormat(undefined, { notation: 'compact' })

/** Calls of models in a word, and in full under the pointer; nothing where there were none. */
export function ModelCost({ usage, label }: { readonly usage: ModelUsage; readonly label?: string }) {
  const { calls, input_tokens, output_tokens, cost_micros, unpriced_calls } = usage
  if (calls === 0) return null
  const unpriced = unpriced_calls === 0 ? '' : `, ${unpriced_calls} of them without a price`
  const whole = `${counted(calls, 'call')} of models${unpriced}; ${compact.format(input_tokens)} tokens in, ${compact.format(output_tokens)} out`
  return (
    <span className="faint" title={whole}>
      {label}
      {dollars(cost_micros)}
      {unpriced_calls > 0 && ' +'}
    </span>
  )
}
