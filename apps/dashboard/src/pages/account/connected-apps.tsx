import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

/** Apps that act for the person by OAuth. */
export function ConnectedApps() {
  const client = useClient()
  const queries = useQueryClient()
  const apps = useQuery({ queryKey: ['apps'], queryFn: () => client.apps.list() })
  const revoke = useMutation({
    mutationFn: (client_id: string) => client.apps.revoke(client_id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['apps'] }),
  })
  return (
    <>
      <Failure error={revoke.error} />
      <Loaded query={apps}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No app acts for you" />
          ) : (
            <ul className="rows">
              {found.map((app) => (
                <li key={app.client_id} className="row">
                  <span className="min-w-0 flex-1 font-medium" dir="auto">
                    {app.name}
                  </span>
                  <button
                    type="button"
                    className="button small danger"
                    disabled={revoke.isPending}
                    onClick={() => revoke.mutate(app.client_id)}
                  >
                    Revoke
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}
