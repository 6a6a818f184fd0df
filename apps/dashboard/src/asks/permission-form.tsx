import { visibleText } from '@svc/facts'
import type { AskAnswer } from '@svc/sdk'
import { useState } from 'react'
import { Field } from '../parts/field.tsx'
import { GuardedButton } from '../parts/guarded-button.tsx'

interface Props {
  readonly permission: string
  readonly patterns: readonly string[]
  /** The whole of what would run. */
  readonly command: string | null
  readonly busy: boolean
  readonly onAnswer: (answer: AskAnswer) => void
}

/** May it run? The whole command is shown, and what a lasting yes would cover. */
export function PermissionForm({ permission, patterns, command, busy, onAnswer }: Props) {
  const [message, setMessage] = useState('')
  const rejection = message.trim() === '' ? {} : { message: message.trim() }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onAnswer({ reply: 'once' })
      }}
    >
      <p>
        The agent asks to use <strong>{permission}</strong>
        {command === null ? ' for:' : ':'}
      </p>
      <pre className="block" tabIndex={0} role="group" aria-label="What would run">
        {visibleText(command ?? patterns.join('\n'))}
      </pre>
      {patterns.length > 0 && (
        <p className="hint">
          Allow always covers, for the rest of this session:{' '}
          {patterns.map((pattern, index) => (
            <span key={pattern}>
              {index > 0 && ', '}
              <code>{visibleText(pattern)}</code>
            </span>
          ))}
        </p>
      )}
      <Field
        label="What the agent is told when you refuse (optional)"
        value={message}
        onChange={setMessage}
      />
      <p className="flex flex-wrap gap-2">
        <GuardedButton needs="project.session.start" type="submit" className="button primary" disabled={busy}>
          Allow once
        </GuardedButton>
        <GuardedButton
          needs="project.session.start"
          className="button"
          disabled={busy}
          onClick={() => onAnswer({ reply: 'always' })}
        >
          Allow always
        </GuardedButton>
        <GuardedButton
          needs="project.session.start"
          className="button danger"
          disabled={busy}
          onClick={() => onAnswer({ reply: 'reject', ...rejection })}
        >
          Refuse
        </GuardedButton>
      </p>
    </form>
  )
}
