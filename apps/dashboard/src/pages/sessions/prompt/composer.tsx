import type { Session } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { Send, Square } from 'lucide-react'
import { useId } from 'react'
import { type Attempt, afterSent, nextAttempt } from '../../../drafts/draft.ts'
import { newKey } from '../../../drafts/new-key.ts'
import { changeDraft, useDraft } from '../../../drafts/use-draft.ts'
import { Failure } from '../../../parts/failure.tsx'
import { GuardedButton } from '../../../parts/guarded-button.tsx'
import { sendOnKey } from '../../../parts/send-key.ts'
import { useClient } from '../../../sign-in/signed-in.tsx'
import type { AgentCommand } from './command-completion.ts'
import { CommandList } from './command-list.tsx'
import { useCommands } from './use-commands.ts'

interface Props {
  readonly session: Session
  /** A turn runs, which can be ended. */
  readonly working: boolean
  /** Commands that the agent offers after a slash. */
  readonly commands: readonly AgentCommand[]
  readonly reread: () => Promise<void>
}

const asleep: ReadonlySet<Session['status']> = new Set(['stopped', 'failed'])

/** Sends prompts. The text stays until the API has it, and a retry of it is the same prompt. */
export function Composer({ session, working, commands, reread }: Props) {
  const { project_id, session_id, status } = session
  const { sessions } = useClient().projects
  const field = useId()
  const name = `prompt:${session_id}`
  const draft = useDraft(name)
  const write = (text: string) => changeDraft(name, (now) => ({ ...now, text }))
  const completion = useCommands({ commands, text: draft.text, onChange: write })
  const send = useMutation({
    mutationFn: ({ says, key }: Attempt) =>
      sessions.prompt(project_id, session_id, { text: says }, { idempotency_key: key }),
    onSuccess: (_prompt, { says }) => changeDraft(name, (now) => afterSent(now, says)),
    // Not waited for: the next prompt may be sent meanwhile.
    onSettled: () => void reread(),
  })
  const end = useMutation({
    mutationFn: () => sessions.abort(project_id, session_id),
    onSettled: reread,
  })
  const blank = draft.text.trim() === ''
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (blank || send.isPending) return
        const attempt = nextAttempt(draft, draft.text, newKey)
        changeDraft(name, (now) => ({ ...now, attempt }))
        send.mutate(attempt)
      }}
    >
      <label htmlFor={field} className="sr-only">
        Prompt
      </label>
      <div className="relative">
        <CommandList {...completion.list} />
        <textarea
          {...completion.field}
          id={field}
          className="input"
          rows={2}
          value={draft.text}
          placeholder={asleep.has(status) ? 'A prompt starts the session again' : 'Tell the agent what to do'}
          aria-describedby={`${field}-hint`}
          onChange={({ target }) => {
            completion.onText()
            write(target.value)
          }}
          onKeyDown={(event) => {
            if (!completion.onKey(event)) sendOnKey(event)
          }}
        />
      </div>
      <Failure error={send.error ?? end.error} />
      <p className="flex flex-wrap items-center justify-end gap-2">
        <span className="faint mr-auto" id={`${field}-hint`}>
          Ctrl ↵ or ⌘ ↵ sends{commands.length > 0 && ', / lists commands'}
        </span>
        {working && (
          <GuardedButton
            needs="project.session.start"
            className="button"
            disabled={end.isPending}
            onClick={() => end.mutate()}
          >
            <Square aria-hidden />
            {end.isPending ? 'Ending…' : 'End turn'}
          </GuardedButton>
        )}
        <GuardedButton
          needs="project.session.start"
          type="submit"
          className="button primary"
          disabled={blank || send.isPending}
        >
          <Send aria-hidden />
          {send.isPending ? 'Sending…' : 'Send'}
        </GuardedButton>
      </p>
    </form>
  )
}
