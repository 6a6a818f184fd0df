import { useQuery } from '@tanstack/react-query'
import { DataTable } from '../../parts/data-table.tsx'
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
            <DataTable caption="Variables" columns={['Name', 'From', 'State']}>
              {env.map(({ name, source, secret, configured }) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td data-name="From">{secret === undefined ? sources[source] : `secret ${secret}`}</td>
                  <td data-name="State">
                    <State of={configured ? 'set' : 'missing'} />
                  </td>
                </tr>
              ))}
            </DataTable>
          </section>
        )
      }
    </Loaded>
  )
}
