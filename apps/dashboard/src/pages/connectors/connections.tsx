import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Failure } from '../../parts/failure.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { neededFor } from './needed-for.ts'
import { useSignIn } from './sign-in.tsx'

/** The accounts of a connector: the project's and one's own. No value of one is ever read. */
export function Connections({
  project_id,
  slug,
  title,
}: {
  readonly project_id: string
  readonly slug: string
  readonly title: string
}) {
  const { connections } = useClient().projects.connectors
  const queries = useQueryClient()
  const again = useSignIn(project_id, slug)
  const query = useQuery({
    queryKey: ['connector', project_id, slug, 'connections'],
    queryFn: () => connections.list(project_id, slug),
  })
  const disconnect = useMutation({
    mutationFn: (connection_id: string) => connections.delete(project_id, slug, connection_id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['connector', project_id, slug] }),
  })
  return (
    <section aria-labelledby="connections">
      <h2 id="connections">{title}</h2>
      <Failure error={disconnect.error ?? again.error} />
      <Loaded query={query}>
        {(all) =>
          all.length === 0 ? (
            <p className="faint">None yet.</p>
          ) : (
            <ul className="grid gap-2">
              {all.map(
                ({
                  connection_id,
                  label,
                  scope,
                  kind,
                  status,
                  online,
                  is_default,
                  last_used_at,
                  last_error,
                }) => (
                  <li key={connection_id} className="card flex flex-wrap items-center gap-2 p-3">
                    <span>{label}</span>
                    <span className="faint">
                      {scope} · {online === null ? status : online ? 'online' : 'offline'}
                      {is_default && ' · default'} · {last_used_at === null ? 'never used' : 'used '}
                      {last_used_at !== null && <Moment at={last_used_at} />}
                    </span>
                    {last_error !== null && <p className="hint break-words">{last_error}</p>}
                    {(kind === 'oauth2' || kind === 'aggregator') && status === 'expired' && (
                      <GuardedButton
                        needs={neededFor(scope)}
                        className="button small primary ml-auto"
                        disabled={again.isPending}
                        aria-label={`Sign in again for ${label}`}
                        onClick={() => again.mutate({ connection_id })}
                      >
                        Sign in again
                      </GuardedButton>
                    )}
                    <GuardedButton
                      needs={neededFor(scope)}
                      className={`button small ${status === 'expired' ? '' : 'ml-auto'}`}
                      disabled={disconnect.isPending}
                      aria-label={`Disconnect ${label}`}
                      onClick={() => disconnect.mutate(connection_id)}
                    >
                      Disconnect
                    </GuardedButton>
                  </li>
                ),
              )}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
