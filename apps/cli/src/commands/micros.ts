import { maxMicros } from '@svc/facts'
import { InvalidArgumentError } from 'commander'

/** US dollars of a flag, such as 5.00 or -0.25, as whole micro-dollars. */
export function micros(text: string): number {
  const [, sign, whole = '', decimals = ''] = /^(-?)\$?(\d{1,7})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (sign === undefined)
    throw new InvalidArgumentError(
      'It must be an amount in US dollars, such as 5.00, with at most six decimals.',
    )
  const amount = Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'))
  if (amount > maxMicros) throw new InvalidArgumentError('It must be at most 1000000.')
  return sign === '-' ? -amount : amount
}

/** The same, from 0 on. */
export function cap(text: string): number {
  const amount = micros(text)
  if (amount < 0 || Object.is(amount, -0)) throw new InvalidArgumentError('It must not be below 0.')
  return amount
}
