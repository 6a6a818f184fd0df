import { counted } from '@svc/facts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { connectorsRoute } from './route.tsx'

/** The services that the manifest declares, each with its state and the account that a session would use. */
export function ConnectorsPage() {
  const { project_id } = connectorsRoute.useParams()
  const { connectors } = useClient().projects
  const query = useQuery({
    queryKey: ['connectors', project_id],
    queryFn: () => connectors.list(project_id),
  })
  return (
    <Page title="Connectors" narrow>
      <Loaded query={query}>
        {({ connectors: all }) =>
          all.length === 0 ? (
            <Empty title="No connectors yet">
              <p>
                Declare a service under <code>connectors</code> in <code>svc.yaml</code>, list it for an
                agent, and merge that.
              </p>
            </Empty>
          ) : (
            <ul className="grid gap-2">
              {all.map(({ slug, name, provider, status, error, actions, connection }) => (
                <li key={slug} className="card grid gap-1 p-3">
                  <p className="flex flex-wrap items-center gap-2">
                    <Link to="/projects/$project_id/connectors/$slug" params={{ project_id, slug }}>
                      {name}
                    </Link>
                    <State of={status} />
                  </p>
                  <p className="faint">
                    {provider} · {counted(actions, 'action')} ·{' '}
                    {connection === null ? 'no account' : `${connection.label} (${connection.scope})`}
                  </p>
                  {error !== null && <p className="break-words">{error}</p>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}
