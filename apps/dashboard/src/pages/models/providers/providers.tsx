import type { GatewayProvider } from '@svc/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { GuardedButton } from '../../../parts/guarded-button.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { State } from '../../../parts/state.tsx'
import { RecordTable } from '../../../records/record-table.tsx'
import { RemoveButton } from '../../../records/remove-button.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { AddProvider } from './add-provider.tsx'
import { ProviderKeys } from './provider-keys.tsx'
import { TestProvider } from './test-provider.tsx'

/** Providers of models that the project has by itself; those of its account and of the operator stand behind them. */
export function Providers({ project_id }: { readonly project_id: string }) {
  const { providers } = useClient().projects.gateway
  const queries = useQueryClient()
  const queryKey = ['model-providers', project_id]
  const list = useQuery({ queryKey, queryFn: () => providers.list(project_id) })
  const [adding, setAdding] = useState(false)
  const [keysOf, setKeysOf] = useState<string | null>(null)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <p className="hint grow">
          Asked with the project’s own keys, which no page shows again. A name hides the provider of that name
          of the account and of the platform.
        </p>
        <GuardedButton
          needs="project.secret.write"
          className="button primary"
          onClick={() => setAdding(true)}
        >
          <Plus aria-hidden />
          Add provider
        </GuardedButton>
      </div>
      <Loaded query={list}>
        {(found) => (
          <>
            <RecordTable<GatewayProvider>
              caption="Providers"
              empty="No provider of the project’s own"
              rows={found}
              keyOf={({ slug }) => slug}
              nameOf={({ slug }) => slug}
              noteOf={({ base_url }) => base_url}
              columns={[
                { name: 'Kind', cell: ({ kind }) => kind },
                {
                  name: 'State',
                  cell: ({ enabled }) => (enabled ? <State of="set" /> : <span className="faint">off</span>),
                },
                {
                  name: 'Keys',
                  cell: ({ keys }) =>
                    keys.length === 0 ? (
                      <span className="faint">none</span>
                    ) : (
                      keys.map(({ hint }) => `…${hint}`).join(', ')
                    ),
                },
              ]}
              actions={({ slug }) => (
                <>
                  <TestProvider project_id={project_id} slug={slug} />
                  <button type="button" className="button small" onClick={() => setKeysOf(slug)}>
                    Keys<span className="sr-only"> of {slug}</span>
                  </button>
                  <RemoveButton
                    verb="Remove"
                    needs="project.secret.write"
                    of={slug}
                    run={() => providers.delete(project_id, slug)}
                    onDone={() => queries.invalidateQueries({ queryKey })}
                    said={`Removed ${slug}.`}
                  >
                    Its models are not offered any more, and its keys are forgotten.
                  </RemoveButton>
                </>
              )}
            />
            {keysOf !== null && (
              <ProviderKeys
                project_id={project_id}
                slug={keysOf}
                keys={found.find(({ slug }) => slug === keysOf)?.keys ?? []}
                onClose={() => setKeysOf(null)}
              />
            )}
          </>
        )}
      </Loaded>
      {adding && <AddProvider project_id={project_id} onClose={() => setAdding(false)} />}
    </>
  )
}
