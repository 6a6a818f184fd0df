import { maxMicros, microsOfUsd } from '@svc/facts'
import { InvalidArgumentError } from 'commander'

/** US dollars of a flag, such as 5.00 or -0.25, as whole micro-dollars. */
export function micros(text: string): number {
  const amount = microsOfUsd(text.replace(/^-/, ''))
  if (amount === null)
    throw new InvalidArgumentError(
      'It must be an amount in US dollars, such as 5.00, with at most six decimals.',
    )
  if (amount > maxMicros) throw new InvalidArgumentError('It must be at most 1000000.')
  return text.startsWith('-') ? -amount : amount
}

/** The same, from 0 on. */
export function cap(text: string): number {
  const amount = micros(text)
  if (amount < 0 || Object.is(amount, -0)) throw new InvalidArgumentError('It must not be below 0.')
  return amount
}
