import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

const sources = { env: 'svc.yaml', secret: 'a secret', platform: 'the platform' } as const

/** The variables that the manifest names for an app; no value of one is ever read. */
export function Variables({ project_id, app }: { readonly project_id: string; readonly app: string }) {
  const { apps } = useClient().projects
  const query = useQuery({
    queryKey: ['app-env', project_id, app],
    queryFn: () => apps.env(project_id, app),
  })
  return (
    <Loaded query={query}>
      {({ env }) =>
        env.length > 0 && (
          <section aria-labelledby="variables" className="grid gap-2">
            <h2 id="variables">Variables</h2>
            <ul className="rows" aria-labelledby="variables">
              {env.map(({ name, source, secret, configured }) => (
                <li key={name} className="row">
                  <span className="flex min-w-0 grow flex-wrap items-baseline gap-x-3">
                    <code className="break-all">{name}</code>
                    <span className="faint">
                      from {secret === undefined ? sources[source] : `the secret ${secret}`}
                    </span>
                  </span>
                  <State of={configured ? 'set' : 'missing'} />
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Loaded>
  )
}
