import { useId } from 'react'

interface Props<K extends string> {
  readonly label: string
  readonly options: readonly (readonly [key: K, label: string])[]
  readonly value: K
  readonly onChange: (key: K) => void
}

/** One of a few, all of them seen: radios that look like one control. */
export function Segments<K extends string>({ label, options, value, onChange }: Props<K>) {
  const name = useId()
  return (
    <fieldset className="segments">
      <legend className="sr-only">{label}</legend>
      {options.map(([key, words]) => (
        <label key={key}>
          <input
            type="radio"
            className="sr-only"
            name={name}
            checked={key === value}
            onChange={() => onChange(key)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  )
}
