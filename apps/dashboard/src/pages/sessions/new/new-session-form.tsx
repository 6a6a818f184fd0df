import type { CreateSessionInput, Project } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { afterSent, nextAttempt } from '../../../drafts/draft.ts'
import { newKey } from '../../../drafts/new-key.ts'
import { changeDraft, useDraft } from '../../../drafts/use-draft.ts'
import { Area, Field } from '../../../parts/field.tsx'
import { Failure } from '../../../parts/failure.tsx'
import { GuardedButton } from '../../../parts/guarded-button.tsx'
import { sendOnKey } from '../../../parts/send-key.ts'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { AgentField } from './agent-field.tsx'
import { BranchField } from './branch-field.tsx'
import { HarnessField } from './harness-field.tsx'
import { QueuedNotice } from './queued-notice.tsx'
import { sessionInput, waitsForRoom } from './session-input.ts'

/** Begins a session and leads to it; at the account's cap it is queued, and the form says so. */
export function NewSessionForm({ project }: { readonly project: Project }) {
  const { project_id, default_branch, default_model } = project
  const { sessions } = useClient().projects
  const queries = useQueryClient()
  const navigate = useNavigate()
  const name = `session:${project_id}`
  const draft = useDraft(name)
  const [agent, setAgent] = useState('')
  const [model, setModel] = useState('')
  const [base, setBase] = useState('')
  const [harness, setHarness] = useState('')
  const create = useMutation({
    mutationFn: ({ input, key }: { readonly input: CreateSessionInput; readonly key: string }) =>
      sessions.queue(project_id, input, { idempotency_key: key }),
    onSuccess: async (made, { input }) => {
      changeDraft(name, (now) => afterSent(now, input.initial_prompt ?? now.text))
      await queries.invalidateQueries({ queryKey: ['sessions', project_id] })
      if (waitsForRoom(made)) return
      const params = { project_id, session_id: made.session_id }
      await navigate({ to: '/projects/$project_id/sessions/$session_id', params })
    },
  })
  return (
    <form
      className="grid max-w-2xl gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (create.isPending) return
        const input = sessionInput({ agent, model, harness, base, prompt: draft.text })
        const attempt = nextAttempt(draft, JSON.stringify(input), newKey)
        changeDraft(name, (now) => ({ ...now, attempt }))
        create.mutate({ input, key: attempt.key })
      }}
    >
      <Area
        label="Prompt"
        rows={6}
        autoFocus
        value={draft.text}
        onChange={(text) => changeDraft(name, (now) => ({ ...now, text }))}
        onKeyDown={sendOnKey}
        hint="What the agent is to do. It may also be left empty and told later."
      />
      <div className="grid gap-4 md:grid-cols-3">
        <AgentField project_id={project_id} value={agent} onChange={setAgent} />
        <Field
          label="Model (optional)"
          value={model}
          placeholder={default_model ?? 'provider/model'}
          onChange={setModel}
        />
        <BranchField {...{ project_id, default_branch }} value={base} onChange={setBase} />
        <HarnessField {...{ project_id, agent }} value={harness} onChange={setHarness} />
      </div>
      <Failure error={create.error} />
      <p>
        <GuardedButton
          needs="project.session.start"
          type="submit"
          className="button primary"
          disabled={create.isPending}
        >
          {create.isPending ? 'Starting…' : 'Start session'}
        </GuardedButton>
      </p>
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
