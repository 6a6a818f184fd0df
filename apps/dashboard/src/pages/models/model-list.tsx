import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { dollars } from '../../money/money.ts'
import { State } from '../../parts/state.tsx'
import { RecordTable } from '../../records/record-table.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

/** The models that the gateway offers to a project, with their prices and whether its lists let them through. */
export function ModelList({ project_id }: { readonly project_id: string }) {
  const { gateway } = useClient().projects
  const models = useQuery({
    queryKey: ['models', project_id],
    queryFn: () => gateway.models(project_id),
  })
  return (
    <>
      <p className="hint">
        A model that is not here is asked with a secret of the project by the agent itself: it is in no log,
        and no budget holds it.
      </p>
      <Loaded query={models}>
        {(found) => (
          <RecordTable
            caption="Models"
            empty="The gateway offers no model to this project"
            rows={found}
            keyOf={({ model }) => model}
            nameOf={({ model }) => model}
            noteOf={(model) => (model.default ? 'Asked where a call names none' : null)}
            columns={[
              {
                name: 'State',
                cell: ({ allowed }) =>
                  allowed ? <State of="allowed" /> : <span className="faint">kept out by a list</span>,
              },
              {
                name: 'Provider',
                cell: ({ provider, provider_scope }) => `${provider}, of the ${provider_scope}`,
              },
              {
                name: 'In, out for a million tokens',
                cell: ({ price }) =>
                  price === null ? (
                    <span className="faint">no price</span>
                  ) : (
                    `${dollars(price.card.input)}, ${dollars(price.card.output)}`
                  ),
              },
              { name: 'Context', cell: ({ context_window }) => context_window?.toLocaleString() ?? '' },
            ]}
          />
        )}
      </Loaded>
    </>
  )
}
