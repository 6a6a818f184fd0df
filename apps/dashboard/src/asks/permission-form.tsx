import type { AskAnswer } from '@svc/sdk'
import { useId, useState } from 'react'

interface Props {
  readonly patterns: readonly string[]
  readonly busy: boolean
  readonly onAnswer: (answer: AskAnswer) => void
}

export function PermissionForm({ patterns, busy, onAnswer }: Props) {
  const field = useId()
  const [message, setMessage] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onAnswer({ reply: 'once' })
      }}
    >
      {patterns.map((pattern) => (
        <pre key={pattern}>{pattern}</pre>
      ))}
      <label htmlFor={field}>What the agent is told when you refuse (optional)</label>
      <input id={field} value={message} onChange={({ target }) => setMessage(target.value)} />
      <p className="actions">
        <button type="submit" disabled={busy}>
          Allow once
        </button>
        <button type="button" className="quiet" disabled={busy} onClick={() => onAnswer({ reply: 'always' })}>
          Allow always
        </button>
        <button
          type="button"
          className="quiet"
          disabled={busy}
          onClick={() => onAnswer({ reply: 'reject', ...(message.trim() === '' ? {} : { message }) })}
        >
          Refuse
        </button>
      </p>
    </form>
  )
}
