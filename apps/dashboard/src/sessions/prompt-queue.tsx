import type { InboxPrompt, Session } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Moment } from '../parts/moment.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import type { WaitingPrompts } from './waiting-prompts.ts'

interface Props {
  readonly session: Session
  readonly prompts: WaitingPrompts
  readonly reread: () => Promise<void>
}

/** The prompt that the agent works on, and those that wait behind it. */
export function PromptQueue({ session, prompts: { running, waiting }, reread }: Props) {
  const heading = useId()
  const { project_id, session_id, external_id } = session
  const client = useClient()
  const withdraw = useMutation({
    mutationFn: (prompt_id: string) =>
      client.projects.sessions.prompts.cancel(project_id, session_id, prompt_id),
    onSettled: reread,
  })
  const abort = useMutation({
    mutationFn: (sandbox: string) => client.runtime.act(sandbox, { kind: 'stop' }),
    onSettled: reread,
  })
  return (
    <>
      {running !== undefined && (
        <p className="actions" role="status">
          The agent works on a prompt.
          {external_id !== null && (
            <button
              type="button"
              className="quiet"
              disabled={abort.isPending}
              onClick={() => abort.mutate(external_id)}
            >
              {abort.isPending ? 'Ending…' : 'End this turn'}
            </button>
          )}
        </p>
      )}
      <Failure error={abort.error} />
      {waiting.length > 0 && (
        <section aria-labelledby={heading}>
          <h2 id={heading}>Waiting prompts</h2>
          <ul className="waiting">
            {waiting.map((prompt) => (
              <Waiting
                key={prompt.prompt_id}
                prompt={prompt}
                busy={withdraw.isPending}
                onWithdraw={() => withdraw.mutate(prompt.prompt_id)}
              />
            ))}
          </ul>
        </section>
      )}
      <Failure error={withdraw.error} />
    </>
  )
}

interface WaitingProps {
  readonly prompt: InboxPrompt
  readonly busy: boolean
  readonly onWithdraw: () => void
}

function Waiting({ prompt, busy, onWithdraw }: WaitingProps) {
  const text = useId()
  const button = useId()
  return (
    <li>
      <p className="said" id={text}>
        {prompt.text}
      </p>
      <p className="actions">
        <span className="hint">
          {prompt.state === 'pending' ? 'Waits for the sandbox' : 'Waits for its turn'}, sent{' '}
          <Moment at={prompt.created_at} />
        </span>
        <button
          type="button"
          className="quiet"
          id={button}
          aria-labelledby={`${button} ${text}`}
          disabled={busy}
          onClick={onWithdraw}
        >
          Withdraw
        </button>
      </p>
    </li>
  )
}
