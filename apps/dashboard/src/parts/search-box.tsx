import { useEffect, useState } from 'react'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

const pauseMs = 200

/** A search that is asked once the person pauses. */
export function SearchBox({ label, value, onChange }: Props) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const due = setTimeout(() => onChange(text), pauseMs)
    return () => clearTimeout(due)
  })
  return (
    <input
      type="search"
      className="input max-w-72 flex-1"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  )
}
