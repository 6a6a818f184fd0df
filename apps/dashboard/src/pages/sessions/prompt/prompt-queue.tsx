import type { Session } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type { Turn } from '../../../conversation/session-log.ts'
import { Failure } from '../../../parts/failure.tsx'
import { GuardedButton } from '../../../parts/guarded-button.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

interface Props {
  readonly session: Session
  readonly prompts: readonly Turn[]
  readonly reread: () => Promise<void>
}

/** The prompts that wait for their turn. */
export function PromptQueue({ session, prompts, reread }: Props) {
  const heading = useId()
  const { project_id, session_id } = session
  const client = useClient()
  const withdraw = useMutation({
    mutationFn: (prompt_id: string) =>
      client.projects.sessions.prompts.cancel(project_id, session_id, prompt_id),
    onSettled: reread,
  })
  if (prompts.length === 0 && withdraw.error === null) return null
  return (
    <section aria-labelledby={heading} className="grid gap-1">
      <h2 id={heading} className="text-12 text-n11">
        Waiting prompts {prompts.length}
      </h2>
      <ul className="rows max-h-40 overflow-y-auto!">
        {prompts.map((prompt) => (
          <Waiting
            key={prompt.id}
            prompt={prompt}
            busy={withdraw.isPending}
            onWithdraw={() => withdraw.mutate(prompt.id)}
          />
        ))}
      </ul>
      <Failure error={withdraw.error} />
    </section>
  )
}

interface WaitingProps {
  readonly prompt: Turn
  readonly busy: boolean
  readonly onWithdraw: () => void
}

function Waiting({ prompt, busy, onWithdraw }: WaitingProps) {
  const text = useId()
  const button = useId()
  return (
    <li className="row">
      <p className="line-clamp-2 min-w-0 flex-1 whitespace-pre-wrap" id={text} dir="auto">
        {prompt.text}
      </p>
      <span className="faint">
        <Moment at={prompt.at} />
      </span>
      <GuardedButton
        needs="project.session.start"
        className="button small"
        id={button}
        aria-labelledby={`${button} ${text}`}
        disabled={busy}
        onClick={onWithdraw}
      >
        Withdraw
      </GuardedButton>
    </li>
  )
}
