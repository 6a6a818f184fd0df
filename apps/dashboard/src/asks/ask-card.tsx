import type { AskAnswer, Session } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { Failure } from '../parts/failure.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import { askTitle, readQuestions } from './ask.ts'
import { type BoardAsk, endWords } from './ask-board.ts'
import { PermissionForm } from './permission-form.tsx'
import { QuestionForm } from './question-form.tsx'

interface Props {
  readonly session: Pick<Session, 'project_id' | 'session_id'>
  readonly shown: BoardAsk
  /** All of what a permission is asked for, where it is known. */
  readonly command: string | null
  /** Its end, from the event log. */
  readonly end: string | undefined
  readonly onSettled: (request_id: string) => void
  readonly reread: () => Promise<void>
}

/** One ask of the agent, answered in its place; one that ended says how. */
export function AskCard({ session, shown: { ask, open, settled }, command, end, onSettled, reread }: Props) {
  const { asks } = useClient().projects.sessions
  const answer = useMutation({
    mutationFn: (given: AskAnswer) =>
      asks.answer(session.project_id, session.session_id, ask.request_id, given),
    onSuccess: () => onSettled(ask.request_id),
    onSettled: reread,
  })
  const dismiss = () => {
    onSettled(ask.request_id)
    void reread()
  }
  const props = { busy: answer.isPending, onAnswer: answer.mutate }
  return (
    <div className="grid gap-2">
      {settled && open ? (
        <p role="status">Your answer is with the agent.</p>
      ) : !open ? (
        <>
          <p role="status">
            “{askTitle(ask)}” {endWords(end)}
          </p>
          <p>
            <button type="button" className="button small" onClick={dismiss}>
              Dismiss
            </button>
          </p>
        </>
      ) : ask.kind === 'permission' ? (
        <PermissionForm permission={ask.permission} patterns={ask.patterns} command={command} {...props} />
      ) : (
        <QuestionForm questions={readQuestions(ask)} {...props} />
      )}
      <Failure error={answer.error} />
    </div>
  )
}
