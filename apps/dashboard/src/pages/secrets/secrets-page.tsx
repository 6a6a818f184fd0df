import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AddSecret } from './add-secret.tsx'
import { DeleteSecret } from './delete-secret.tsx'
import { secretsRoute } from './route.tsx'

/** The names of a project's secrets, the missing ones first. A value is written here, and never read. */
export function SecretsPage() {
  const { project_id } = secretsRoute.useParams()
  const { secrets } = useClient().projects
  const [adding, setAdding] = useState<string | null>(null)
  const list = useQuery({ queryKey: ['secrets', project_id], queryFn: () => secrets.list(project_id) })
  return (
    <Page
      title="Secrets"
      narrow
      actions={
        <button type="button" className="button primary" onClick={() => setAdding('')}>
          <Plus aria-hidden />
          Add secret
        </button>
      }
    >
      <p className="hint">
        Sessions get them as variables of their environment, as far as their agent is granted them.
      </p>
      <Loaded query={list}>
        {({ items, required, missing }) => (
          <>
            {missing.length > 0 && (
              <section className="notice warn block!" aria-label="Missing secrets">
                <h2>Required by svc.yaml, and not set</h2>
                <ul className="mt-1 flex flex-wrap gap-2">
                  {missing.map((name) => (
                    <li key={name}>
                      <button type="button" className="button small" onClick={() => setAdding(name)}>
                        Set {name}
                      </button>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {items.length === 0 ? (
              <Empty title="No secret yet" />
            ) : (
              <DataTable caption="Secrets" columns={['Name', 'Changed', 'Needed', 'Change']}>
                {items.map(({ name, updated_at }) => (
                  <tr key={name}>
                    <th scope="row">
                      <code>{name}</code>
                    </th>
                    <td>
                      <Moment at={updated_at} />
                    </td>
                    <td>{required.includes(name) ? 'required' : ''}</td>
                    <td>
                      <span className="flex gap-2">
                        <button type="button" className="button small" onClick={() => setAdding(name)}>
                          Replace
                        </button>
                        <DeleteSecret project_id={project_id} name={name} />
                      </span>
                    </td>
                  </tr>
                ))}
              </DataTable>
            )}
          </>
        )}
      </Loaded>
      {adding !== null && (
        <AddSecret project_id={project_id} first={adding} onClose={() => setAdding(null)} />
      )}
    </Page>
  )
}
