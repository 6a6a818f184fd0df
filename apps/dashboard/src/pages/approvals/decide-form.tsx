import type { Approval } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Area } from '../../parts/field.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

/** The decision on exactly what the page shows; the platform carries it out. */
export function DecideForm({
  approval,
  project_id,
}: {
  readonly approval: Approval
  readonly project_id: string
}) {
  const { call_id, digest, second_person } = approval
  const { approvals } = useClient().projects
  const queries = useQueryClient()
  const [message, setMessage] = useState('')
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'deny') =>
      approvals.decide(project_id, call_id, {
        decision,
        digest,
        ...(message.trim() !== '' && { message }),
      }),
    onSuccess: (_, decision) =>
      toast(decision === 'approve' ? 'Approved: the platform makes the call.' : 'Denied.'),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['approval', project_id, call_id] }),
        queries.invalidateQueries({ queryKey: ['inbox'] }),
      ]),
  })
  return (
    <section className="card grid gap-3 p-3" aria-label="Decision">
      {second_person && <p>The rule asks for another person than the one who started the session.</p>}
      <Area
        label="Message"
        rows={2}
        value={message}
        onChange={setMessage}
        hint="The agent gets these words with the decision."
      />
      <Failure error={decide.error} />
      <div className="flex flex-wrap gap-2">
        <GuardedButton
          needs="project.review.act"
          className="button primary"
          disabled={decide.isPending}
          onClick={() => decide.mutate('approve')}
        >
          Approve
        </GuardedButton>
        <GuardedButton
          needs="project.review.act"
          className="button"
          disabled={decide.isPending}
          onClick={() => decide.mutate('deny')}
        >
          Deny
        </GuardedButton>
      </div>
    </section>
  )
}
