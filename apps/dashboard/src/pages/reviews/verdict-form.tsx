import type { ActOnReviewInput, ReviewItem } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Area, Select } from '../../parts/field.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

type Verdict = ActOnReviewInput['verdict']

/** The verdicts on the version that is shown; its session gets the words. */
export function VerdictForm({ item }: { readonly item: ReviewItem }) {
  const { project_id, review_id, version, kind, options, session_id } = item
  const { reviews } = useClient().projects
  const queries = useQueryClient()
  const [feedback, setFeedback] = useState('')
  const [option, setOption] = useState('')
  const act = useMutation({
    mutationFn: (verdict: Verdict) =>
      reviews.act(project_id, review_id, {
        verdict,
        version,
        ...(feedback.trim() !== '' && { feedback }),
        ...(verdict === 'approve' && kind === 'decision' && { option }),
      }),
    onSuccess: () => toast(session_id === null ? 'Said.' : 'The agent has your verdict.'),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['review', project_id, review_id] }),
        queries.invalidateQueries({ queryKey: ['inbox'] }),
      ]),
  })
  const button = (label: string, verdict: Verdict, look = '', isOff = false) => (
    <GuardedButton
      needs="project.review.act"
      className={`button ${look}`}
      disabled={act.isPending || isOff}
      onClick={() => act.mutate(verdict)}
    >
      {label}
    </GuardedButton>
  )
  return (
    <section className="card grid gap-3 p-3" aria-label="Verdict">
      {kind === 'decision' && (
        <Select
          label="Choose"
          value={option}
          onChange={setOption}
          options={[['', 'Nothing chosen yet'], ...options.map(({ id, label }) => [id, label] as const)]}
        />
      )}
      <Area
        label="Feedback"
        rows={4}
        value={feedback}
        onChange={setFeedback}
        hint={
          session_id === null
            ? 'Kept with the item: no session stands behind it.'
            : 'The agent gets these words with the verdict.'
        }
      />
      <Failure error={act.error} />
      <div className="flex flex-wrap gap-2">
        {button('Approve', 'approve', 'primary', kind === 'decision' && option === '')}
        {button('Request changes', 'request_changes', '', feedback.trim() === '')}
        {button('Reject', 'reject')}
        {button('Dismiss', 'dismiss')}
      </div>
    </section>
  )
}
