import type { ChangeRequest, ChangeRequestDiff, MergePreview } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { Failure } from '../parts/failure.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import { mergeVerdict } from './merge-verdict.ts'

interface Props {
  readonly project_id: string
  readonly cr: ChangeRequest
  readonly diff: ChangeRequestDiff
  /** Null of one that is not open. */
  readonly preview: MergePreview | null
  readonly reread: () => Promise<void>
}

/** Merges exactly the commits of the diff that is shown, or is refused; also closes. */
export function MergePanel({ project_id, cr, diff, preview, reread }: Props) {
  const { changeRequests } = useClient().projects
  const heading = useId()
  const merge = useMutation({
    mutationFn: () =>
      changeRequests.merge(project_id, cr.cr_id, {
        expected_head_sha: diff.head_sha,
        expected_base_sha: diff.base_sha,
      }),
    onSuccess: reread,
  })
  const close = useMutation({
    mutationFn: () => changeRequests.close(project_id, cr.cr_id),
    onSuccess: reread,
  })
  const busy = merge.isPending || close.isPending
  const lookAgain = async () => {
    merge.reset()
    close.reset()
    await reread()
  }
  if (preview === null) {
    return (
      <div aria-live="polite">
        {merge.data !== undefined && (
          <p className="notice">
            Merged: <code>{cr.base_ref}</code> is now at <code>{merge.data.merge.base_sha_after}</code>.
          </p>
        )}
        {close.data !== undefined && (
          <p className="notice">
            Closed. The branch <code>{cr.head_ref}</code> stays.
          </p>
        )}
      </div>
    )
  }
  const verdict = mergeVerdict(preview)
  return (
    <section className="card" aria-labelledby={heading}>
      <h2 id={heading}>Merge</h2>
      <p>{verdict.words}</p>
      <Points preview={preview} />
      <p className="hint">
        Head <code>{diff.head_sha.slice(0, 12)}</code>, base <code>{diff.base_sha.slice(0, 12)}</code>: these
        are merged, or nothing is.
      </p>
      <p className="actions">
        <button type="button" disabled={busy || !verdict.can_merge} onClick={() => merge.mutate()}>
          {merge.isPending ? 'Merging…' : 'Merge'}
        </button>
        <button type="button" className="quiet" disabled={busy} onClick={() => close.mutate()}>
          {close.isPending ? 'Closing…' : 'Close without merging'}
        </button>
        <button type="button" className="quiet" disabled={busy} onClick={() => void lookAgain()}>
          Show it as it is now
        </button>
      </p>
      <Failure error={merge.error ?? close.error} />
    </section>
  )
}

function Points({ preview: { conflicts, manifest } }: { readonly preview: MergePreview }) {
  const points = [
    ...conflicts,
    ...manifest.issues.map(({ severity, path, message }) => `${severity} in svc.yaml, ${path}: ${message}`),
  ]
  if (points.length === 0) return null
  return (
    <ul>
      {points.map((point) => (
        <li key={point}>
          <code>{point}</code>
        </li>
      ))}
    </ul>
  )
}
