import type { TriggerFireAnswer } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import { useState } from 'react'
import { Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Area } from '../../parts/field.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'

interface Props {
  readonly project_id: string
  readonly slug: string
  readonly onFired: () => Promise<void>
}

/** Fires a trigger by hand, with a message where its prompt takes one. */
export function FireNow({ project_id, slug, onFired }: Props) {
  const { triggers } = useClient().projects
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const fire = useMutation({
    mutationFn: () => triggers.fire(project_id, slug, text === '' ? {} : { text }),
    onSettled: onFired,
  })
  const turn = (next: boolean) => {
    if (next) fire.reset()
    setOpen(next)
  }
  return (
    <>
      <GuardedButton needs="project.trigger.fire" className="button small" onClick={() => turn(true)}>
        <Zap aria-hidden />
        Fire now
      </GuardedButton>
      <Modal title={`Fire ${slug}`} open={open} onOpenChange={turn}>
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (!fire.isPending) fire.mutate()
          }}
        >
          <Area
            label="Message (optional)"
            rows={3}
            value={text}
            onChange={setText}
            hint="It is {{ message.text }} in the prompt."
          />
          <Failure error={fire.error} />
          <div role="status">
            {fire.data !== undefined && <Outcome project_id={project_id} answer={fire.data} />}
          </div>
          <p>
            <button type="submit" className="button primary" disabled={fire.isPending}>
              {fire.isPending ? 'Firing…' : 'Fire'}
            </button>
          </p>
        </form>
      </Modal>
    </>
  )
}

interface OutcomeProps {
  readonly project_id: string
  readonly answer: TriggerFireAnswer
}

export function Outcome({ project_id, answer }: OutcomeProps) {
  switch (answer.status) {
    case 'fired':
      return (
        <p className="notice ok">
          Fired.
          <Link
            to="/projects/$project_id/sessions/$session_id"
            params={{ project_id, session_id: answer.session_id }}
          >
            See its session
          </Link>
        </p>
      )
    case 'queued':
      return <p className="notice">Queued: {answer.reason}</p>
    case 'skipped':
      return <p className="notice">Skipped: {answer.reason}</p>
  }
}
