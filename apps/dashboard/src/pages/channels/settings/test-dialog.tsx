import type { Channel } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { Modal } from '../../../parts/dialog.tsx'
import { Failure } from '../../../parts/failure.tsx'
import { Loading } from '../../../parts/loaded.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

interface Props {
  readonly channel: Channel
  readonly onClose: () => void
}

/** Tries whether a channel works, check by check. It writes into no conversation. */
export function TestDialog({ channel: { project_id, slug }, onClose }: Props) {
  const { channels } = useClient().projects
  const test = useQuery({
    queryKey: ['channel-test', project_id, slug],
    queryFn: () => channels.test(project_id, slug),
    gcTime: 0,
    refetchOnReconnect: false,
  })
  return (
    <Modal title="Test" open onOpenChange={(open) => open || onClose()}>
      {test.isFetching ? (
        <Loading what="Asking the platform…" />
      ) : (
        <div role="status" className="grid gap-2">
          {test.data !== undefined && (
            <>
              <p>{test.data.ok ? 'It works.' : 'It does not work yet.'}</p>
              <ul className="grid gap-1" aria-label="Checks">
                {test.data.checks.map(({ name, ok, message }) => (
                  <li key={name} className="flex items-start gap-2 text-13">
                    {ok ? (
                      <CircleCheck aria-label="passed" className="glyph tone-ok" />
                    ) : (
                      <CircleX aria-label="failed" className="glyph tone-bad" />
                    )}
                    <span className="min-w-0 break-words">
                      <strong>{name}</strong> {message}
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
      <Failure error={test.isFetching ? null : test.error} />
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
        <button
          type="button"
          className="button"
          disabled={test.isFetching}
          onClick={() => void test.refetch()}
        >
          Test again
        </button>
      </div>
    </Modal>
  )
}
