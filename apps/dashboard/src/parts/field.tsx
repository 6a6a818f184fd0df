import { type ComponentProps, type ReactNode, useId } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'id' | 'className' | 'onChange' | 'value'> {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: ReactNode
  /** The refusal of this value, in the words of the side that refused. */
  readonly problem?: string | undefined
}

/** A labelled line of text. */
export function Field({ label, value, onChange, hint, problem, ...input }: Props) {
  const id = useId()
  const notes = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ]
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="input"
        value={value}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={notes.length === 0 ? undefined : notes.join(' ')}
        onChange={({ target }) => onChange(target.value)}
      />
      {problem !== undefined && (
        <p role="alert" className="tone-bad text-13" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <p className="faint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface AreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className' | 'onChange' | 'value'> {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: ReactNode
}

/** A labelled text of several lines. */
export function Area({ label, value, onChange, hint, ...area }: AreaProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        {...area}
        id={id}
        className="input"
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      {hint !== undefined && (
        <p className="faint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly options: readonly (readonly [value: string, label: string])[]
  /** In a line with others, the label is for the ear alone. */
  readonly inline?: boolean
  readonly hint?: string | undefined
  readonly disabled?: boolean
}

export function Select({ label, value, onChange, options, inline = false, hint, disabled }: SelectProps) {
  const id = useId()
  return (
    <div className={inline ? '' : 'field'}>
      <label htmlFor={id} className={inline ? 'sr-only' : undefined}>
        {label}
      </label>
      <select
        id={id}
        className="input"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        disabled={disabled}
        onChange={({ target }) => onChange(target.value)}
      >
        {options.map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  )
}
