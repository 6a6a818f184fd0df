import type { Session } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { StepForward } from 'lucide-react'
import { useState } from 'react'
import { limitText, type TurnLimit } from '../../../conversation/turn-limit.ts'
import { newKey } from '../../../drafts/new-key.ts'
import { Failure } from '../../../parts/failure.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { GuardedButton } from '../../../parts/guarded-button.tsx'

interface Props {
  readonly session: Session
  readonly limit: TurnLimit
  readonly reread: () => Promise<void>
}

/** The way on after a turn that ended at a limit of the agent. */
export function ContinueTurn({ session, limit, reread }: Props) {
  const { project_id, session_id } = session
  const { sessions } = useClient().projects
  // Pressed again after a lost answer, it is the same prompt.
  const [idempotency_key] = useState(newKey)
  const send = useMutation({
    mutationFn: () => sessions.prompt(project_id, session_id, { text: 'Continue' }, { idempotency_key }),
    onSettled: reread,
  })
  return (
    <div className="grid gap-2">
      <p className="notice warn justify-between">
        {limitText(limit)}
        <GuardedButton
          needs="project.session.start"
          className="button"
          disabled={send.isPending || send.isSuccess}
          onClick={() => send.mutate()}
        >
          <StepForward aria-hidden />
          {send.isPending ? 'Sending…' : 'Continue'}
        </GuardedButton>
      </p>
      <Failure error={send.error} />
    </div>
  )
}
