import { useId } from 'react'

interface Props<K extends string> {
  readonly label: string
  readonly options: readonly (readonly [key: K, label: string, explanation: string])[]
  readonly value: K
  readonly onChange: (key: K) => void
}

/** One of a few, each with its explanation. */
export function Choices<K extends string>({ label, options, value, onChange }: Props<K>) {
  const name = useId()
  return (
    <fieldset className="grid gap-1">
      <legend className="label mb-1">{label}</legend>
      {options.map(([key, words, explanation]) => (
        <label key={key} className="choice">
          <input type="radio" name={name} checked={key === value} onChange={() => onChange(key)} />
          <span>
            {words} <span className="hint grid">{explanation}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
