import type { CreateSessionInput, Project } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import { afterSent, nextAttempt } from '../parts/draft.ts'
import { Failure } from '../parts/failure.tsx'
import { newKey } from '../parts/new-key.ts'
import { sendOnKey } from '../parts/send-key.ts'
import { changeDraft, useDraft } from '../parts/use-draft.ts'
import { useClient } from '../sign-in/signed-in.tsx'
import { AgentField } from './agent-field.tsx'
import { BranchField } from './branch-field.tsx'
import { QueuedNotice } from './queued-notice.tsx'
import { sessionInput, waitsForRoom } from './session-input.ts'

/** Begins a session and leads to it; at the account's cap it is queued, and the form says so. */
export function NewSessionForm({ project }: { readonly project: Project }) {
  const { project_id, default_branch, default_model } = project
  const { sessions } = useClient().projects
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const id = useId()
  const name = `session:${project_id}`
  const draft = useDraft(name)
  const [agent, setAgent] = useState('')
  const [model, setModel] = useState('')
  const [base, setBase] = useState('')
  const create = useMutation({
    mutationFn: ({ input, key }: { readonly input: CreateSessionInput; readonly key: string }) =>
      sessions.queue(project_id, input, { idempotency_key: key }),
    onSuccess: async (made, { input }) => {
      changeDraft(name, (now) => afterSent(now, input.initial_prompt ?? now.text))
      await queries.invalidateQueries({ queryKey: ['sessions', project_id] })
      if (!waitsForRoom(made)) navigate(`/sessions/${made.session_id}`)
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (create.isPending) return
        const input = sessionInput({ agent, model, base, prompt: draft.text })
        const attempt = nextAttempt(draft, JSON.stringify(input), newKey)
        changeDraft(name, (now) => ({ ...now, attempt }))
        create.mutate({ input, key: attempt.key })
      }}
    >
      <label htmlFor={`${id}-prompt`}>First prompt (optional)</label>
      <textarea
        id={`${id}-prompt`}
        rows={4}
        value={draft.text}
        onChange={({ target }) => changeDraft(name, (now) => ({ ...now, text: target.value }))}
        onKeyDown={sendOnKey}
      />
      <AgentField project_id={project_id} value={agent} onChange={setAgent} />
      <label htmlFor={`${id}-model`}>Model (optional)</label>
      <input
        id={`${id}-model`}
        value={model}
        placeholder={default_model ?? 'provider/model'}
        onChange={({ target }) => setModel(target.value)}
      />
      <BranchField {...{ project_id, default_branch }} value={base} onChange={setBase} />
      <button type="submit" disabled={create.isPending}>
        {create.isPending ? 'Starting…' : 'Start a session'}
      </button>
      <Failure error={create.error} />
      <div aria-live="polite">
        {create.data !== undefined && waitsForRoom(create.data) && (
          <QueuedNotice
            project_id={project_id}
            session_id={create.data.session_id}
            onWithdrawn={create.reset}
          />
        )}
      </div>
    </form>
  )
}
