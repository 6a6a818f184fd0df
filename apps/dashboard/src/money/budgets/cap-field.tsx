import { microsOfUsd } from '@svc/facts'
import { Field } from '../../parts/field.tsx'

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
  /** The words below a cap that can be read. */
  readonly hint: string
  readonly autoFocus?: boolean
}

/** A line for an amount in US dollars. */
export function CapField({ value, onChange, hint, autoFocus = false }: Props) {
  return (
    <Field
      label="Cap in US dollars"
      inputMode="decimal"
      value={value}
      onChange={onChange}
      required
      autoFocus={autoFocus}
      autoComplete="off"
      hint={value !== '' && capOf(value) === null ? 'A number such as 5 or 0.50' : hint}
    />
  )
}

/** The micro-dollars of what was typed; null where it is no amount. */
export const capOf = (text: string): number | null => microsOfUsd(text.trim())
