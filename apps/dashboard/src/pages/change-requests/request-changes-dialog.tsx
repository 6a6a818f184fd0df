import type { ChangeRequest } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Area } from '../../parts/field.tsx'
import { sendOnKey } from '../../parts/send-key.ts'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

interface Props {
  readonly cr: ChangeRequest
  /** Text that stands in the field at first. */
  readonly first: string
  readonly onClose: () => void
  readonly reread: () => Promise<void>
}

/** Feedback that goes to the session which opened the change request, and wakes it. */
export function RequestChangesDialog({ cr, first, onClose, reread }: Props) {
  const { changeRequests } = useClient().projects
  const [feedback, setFeedback] = useState(first)
  const send = useMutation({
    mutationFn: () => changeRequests.requestChanges(cr.project_id, cr.cr_id, { feedback }),
    onSuccess: async ({ delivering }) => {
      toast(
        delivering ? 'The agent has your feedback.' : 'Kept. No session stands behind this change request.',
      )
      await reread()
      onClose()
    },
  })
  return (
    <Modal title={`Request changes to #${cr.number}`} open onOpenChange={(open) => open || onClose()}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!send.isPending && feedback.trim() !== '') send.mutate()
        }}
      >
        <Area
          label="Feedback"
          rows={6}
          autoFocus
          value={feedback}
          onChange={setFeedback}
          onKeyDown={sendOnKey}
          hint={
            cr.origin_session_id === null
              ? 'No session opened it: the words are kept here, and no agent reads them.'
              : 'The agent that opened it gets these words as its next prompt.'
          }
        />
        <Failure error={send.error} />
        <p>
          <button
            type="submit"
            className="button primary"
            disabled={send.isPending || feedback.trim() === ''}
          >
            {send.isPending ? 'Sending…' : 'Send feedback'}
          </button>
        </p>
      </form>
    </Modal>
  )
}
