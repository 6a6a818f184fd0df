import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '@svc/sdk'
import { Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Area } from '../../parts/field.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import type { Shown } from './use-change-request.ts'

interface Props {
  readonly shown: Shown
  readonly onClose: () => void
  readonly reread: () => Promise<void>
}

/** Says what will happen, and merges exactly the commits that were shown, or nothing. */
export function MergeDialog({ shown, onClose, reread }: Props) {
  const { cr, diff, preview } = shown
  const { changeRequests } = useClient().projects
  const [message, setMessage] = useState('')
  const merge = useMutation({
    mutationFn: () =>
      changeRequests.merge(cr.project_id, cr.cr_id, {
        expected_head_sha: diff.head_sha,
        expected_base_sha: diff.base_sha,
        ...(message.trim() === '' ? {} : { message }),
      }),
    onSuccess: async ({ merge: { base_sha_after } }) => {
      toast(`Merged #${cr.number}: ${cr.base_ref} is now at ${base_sha_after.slice(0, 8)}.`)
      await reread()
      onClose()
    },
  })
  const stale = isApiError(merge.error) && /STALE|NOT_OPEN/.test(merge.error.code ?? '')
  const forward = preview?.can_fast_forward === true
  return (
    <Modal title={`Merge #${cr.number}`} open onOpenChange={(open) => open || onClose()}>
      <p dir="auto">
        {forward ? (
          <>
            Fast-forwards <code>{cr.base_ref}</code> from <code>{diff.base_sha.slice(0, 8)}</code> to{' '}
            <code>{diff.head_sha.slice(0, 8)}</code>.
          </>
        ) : (
          <>
            Makes a merge commit on <code>{cr.base_ref}</code> that joins{' '}
            <code>{diff.base_sha.slice(0, 8)}</code> and <code>{diff.head_sha.slice(0, 8)}</code>.
          </>
        )}{' '}
        {diff.files_changed} {diff.files_changed === 1 ? 'file changes' : 'files change'}: +{diff.additions} −
        {diff.deletions}.
      </p>
      {!forward && <Area label="Merge message (optional)" rows={2} value={message} onChange={setMessage} />}
      <Failure error={merge.error} />
      {stale && (
        <p className="hint">
          It changed while you read: nothing was merged. Look at it as it is now, then decide again.
        </p>
      )}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        {stale ? (
          <button
            type="button"
            className="button primary"
            onClick={() => {
              onClose()
              void reread()
            }}
          >
            Show it as it is now
          </button>
        ) : (
          <button
            type="button"
            className="button primary"
            disabled={merge.isPending}
            onClick={() => merge.mutate()}
          >
            {merge.isPending ? 'Merging…' : 'Confirm merge'}
          </button>
        )}
      </div>
    </Modal>
  )
}
