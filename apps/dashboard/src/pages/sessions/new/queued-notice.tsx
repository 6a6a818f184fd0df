import { isApiError } from '@svc/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Failure } from '../../../parts/failure.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

interface Props {
  readonly project_id: string
  readonly session_id: string
  readonly onWithdrawn: () => void
}

const againMs = 5_000

/** A session that waits for room at the account's cap. */
export function QueuedNotice({ project_id, session_id, onWithdrawn }: Props) {
  const { sessions } = useClient().projects
  const begun = useQuery({
    queryKey: ['session', session_id, 'begun'],
    queryFn: async () => {
      try {
        await sessions.get(project_id, session_id)
        return true
      } catch (error) {
        if (isApiError(error) && error.status === 404) return false
        throw error
      }
    },
    refetchInterval: ({ state }) => (state.data === true ? false : againMs),
  })
  const withdraw = useMutation({
    mutationFn: () => sessions.delete(project_id, session_id),
    onSuccess: onWithdrawn,
  })
  if (begun.data === true) {
    return (
      <p className="notice">
        There is room now:{' '}
        <Link to="/projects/$project_id/sessions/$session_id" params={{ project_id, session_id }}>
          see the session
        </Link>
      </p>
    )
  }
  return (
    <div className="notice">
      <p>
        Queued: the account runs as many sessions as it may. This one begins by itself, in its turn, as soon
        as another one stops; you need not wait here.
      </p>
      <button
        type="button"
        className="button small"
        disabled={withdraw.isPending}
        onClick={() => withdraw.mutate()}
      >
        {withdraw.isPending ? 'Withdrawing…' : 'Withdraw it'}
      </button>
      <Failure error={withdraw.error ?? begun.error} />
    </div>
  )
}
