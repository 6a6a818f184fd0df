import { counted } from '@svc/facts'
import { useMutation } from '@tanstack/react-query'
import { GitMerge, MessageSquareWarning } from 'lucide-react'
import { useId } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { mergeVerdict } from './merge-verdict.ts'
import { Obstacles } from './obstacles.tsx'
import type { Shown } from './use-change-request.ts'

interface Props {
  readonly shown: Shown
  /** At the lower edge of a small screen: the buttons alone. */
  readonly compact: boolean
  readonly onMerge: () => void
  readonly onRequestChanges: (text?: string) => void
  readonly reread: () => Promise<void>
}

/** The effect of a merge, and the ways on: merge, request changes, close; or reopen. */
export function MergePanel({ shown, compact, onMerge, onRequestChanges, reread }: Props) {
  const { cr, preview, diff } = shown
  const { changeRequests } = useClient().projects
  const heading = useId()
  const reopen = useMutation({
    mutationFn: () => changeRequests.reopen(cr.project_id, cr.cr_id),
    onSettled: reread,
  })
  const close = useMutation({
    mutationFn: () => changeRequests.close(cr.project_id, cr.cr_id),
    onSuccess: async () => {
      toast(`Closed #${cr.number}. Its branch stays.`, { label: 'Undo', run: () => reopen.mutate() })
      await reread()
    },
  })
  const verdict = preview === null ? null : mergeVerdict(preview)
  const busy = close.isPending || reopen.isPending
  return (
    <section aria-labelledby={heading} className="grid gap-3">
      <h2 id={heading} className={compact ? 'sr-only' : ''}>
        Merge
      </h2>
      {!compact && verdict !== null && <p>{verdict.words}</p>}
      {!compact && preview !== null && <Obstacles shown={shown} onRequestChanges={onRequestChanges} />}
      {!compact && verdict?.can_merge === true && (
        <p className="hint">
          {counted(diff.files_changed, 'file')}, head <code>{diff.head_sha.slice(0, 8)}</code> onto{' '}
          <code>{diff.base_sha.slice(0, 8)}</code>. These are merged, or nothing is.
        </p>
      )}
      {cr.status === 'merged' && (
        <p role="status">
          Merged: <code>{cr.base_ref}</code> has it as <code>{cr.merge_commit_sha}</code>.
        </p>
      )}
      {cr.status === 'closed' && (
        <p role="status">
          Closed. The branch <code>{cr.head_ref}</code> stays.
        </p>
      )}
      <p className="flex flex-wrap gap-2">
        {verdict !== null && (
          <>
            <GuardedButton
              needs="project.gitops.merge"
              className="button primary"
              disabled={busy || !verdict.can_merge}
              onClick={onMerge}
            >
              <GitMerge aria-hidden />
              Merge
            </GuardedButton>
            <GuardedButton
              needs="project.gitops.push"
              className="button"
              disabled={busy}
              onClick={() => onRequestChanges()}
            >
              <MessageSquareWarning aria-hidden />
              Request changes
            </GuardedButton>
            <GuardedButton
              needs="project.gitops.push"
              className="button"
              disabled={busy}
              onClick={() => close.mutate()}
            >
              {close.isPending ? 'Closing…' : 'Close'}
            </GuardedButton>
          </>
        )}
        {cr.status === 'closed' && (
          <GuardedButton
            needs="project.gitops.push"
            className="button"
            disabled={busy}
            onClick={() => reopen.mutate()}
          >
            {reopen.isPending ? 'Reopening…' : 'Reopen'}
          </GuardedButton>
        )}
      </p>
      <Failure error={close.error ?? reopen.error} />
    </section>
  )
}
