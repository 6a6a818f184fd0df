import type { Session } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { type Attempt, afterSent, nextAttempt } from '../parts/draft.ts'
import { Failure } from '../parts/failure.tsx'
import { newKey } from '../parts/new-key.ts'
import { sendOnKey } from '../parts/send-key.ts'
import { changeDraft, useDraft } from '../parts/use-draft.ts'
import { useClient } from '../sign-in/signed-in.tsx'
import { isLive } from './session-name.ts'

interface Props {
  readonly session: Session
  readonly reread: () => Promise<void>
}

/** Sends prompts. The text stays until the API has it, and a retry of it is the same prompt. */
export function Composer({ session, reread }: Props) {
  const { project_id, session_id } = session
  const { sessions } = useClient().projects
  const field = useId()
  const hint = useId()
  const name = `prompt:${session_id}`
  const draft = useDraft(name)
  const send = useMutation({
    mutationFn: ({ says, key }: Attempt) =>
      sessions.prompt(project_id, session_id, { text: says }, { idempotency_key: key }),
    onSuccess: (_prompt, { says }) => changeDraft(name, (now) => afterSent(now, says)),
    // Not waited for: the next prompt may be sent meanwhile.
    onSettled: () => void reread(),
  })
  const blank = draft.text.trim() === ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (blank || send.isPending) return
        const attempt = nextAttempt(draft, draft.text, newKey)
        changeDraft(name, (now) => ({ ...now, attempt }))
        send.mutate(attempt)
      }}
    >
      <label htmlFor={field}>Prompt</label>
      <textarea
        id={field}
        rows={4}
        value={draft.text}
        aria-describedby={hint}
        onChange={({ target }) => changeDraft(name, (now) => ({ ...now, text: target.value }))}
        onKeyDown={sendOnKey}
      />
      <Failure error={send.error} />
      <p className="actions">
        <button type="submit" disabled={blank || send.isPending}>
          {send.isPending ? 'Sending…' : 'Send'}
        </button>
        <span className="hint" id={hint}>
          Ctrl+Enter or ⌘+Enter sends.{isLive(session) ? '' : ' It starts the session again.'}
        </span>
      </p>
    </form>
  )
}
