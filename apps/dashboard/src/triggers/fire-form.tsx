import type { TriggerFireAnswer } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { Failure } from '../parts/failure.tsx'
import { useClient } from '../sign-in/signed-in.tsx'

interface Props {
  readonly project_id: string
  readonly slug: string
  readonly onFired: () => Promise<void>
}

/** Fires once for each press: the button waits for the outcome. */
export function FireForm({ project_id, slug, onFired }: Props) {
  const client = useClient()
  const field = useId()
  const [text, setText] = useState('')
  const fire = useMutation({
    mutationFn: () => client.projects.triggers.fire(project_id, slug, text === '' ? {} : { text }),
    onSettled: onFired,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!fire.isPending) fire.mutate()
      }}
    >
      <label htmlFor={field}>
        Message (optional), <code>{'{{ message.text }}'}</code> of the prompt
      </label>
      <textarea id={field} rows={2} value={text} onChange={({ target }) => setText(target.value)} />
      <button type="submit" disabled={fire.isPending}>
        {fire.isPending ? 'Firing…' : 'Fire now'}
      </button>
      <div aria-live="polite">{fire.data !== undefined && <Outcome answer={fire.data} />}</div>
      <Failure error={fire.error} />
    </form>
  )
}

function Outcome({ answer }: { readonly answer: TriggerFireAnswer }) {
  switch (answer.status) {
    case 'fired':
      return (
        <p className="notice">
          Fired: <Link href={`/sessions/${answer.session_id}`}>see its session</Link>
        </p>
      )
    case 'queued':
      return <p className="notice">Queued: {answer.reason}</p>
    case 'skipped':
      return <p className="notice">Skipped: {answer.reason}</p>
  }
}
