import type { Spend as SpendAnswer } from '@svc/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { DataTable } from '../../../parts/data-table.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Failure } from '../../../parts/failure.tsx'
import { Select } from '../../../parts/field.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { dollars } from '../../../parts/money.ts'
import { Segments } from '../../../parts/segments.tsx'
import { saveFile } from '../../../parts/save-file.ts'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { modelsRoute } from '../route.tsx'
import { sumsOf } from './sums.ts'
import { stacksOf } from './stacks.ts'

const SpendChart = lazy(() =>
  import('./spend-chart.tsx').then(({ SpendChart: chart }) => ({ default: chart })),
)

const groups = [
  ['model', 'By model'],
  ['agent', 'By agent'],
  ['trigger', 'By trigger'],
  ['session', 'By session'],
  ['key', 'By key'],
  ['provider', 'By provider'],
] as const
const spans = [
  ['7', '7 days'],
  ['31', '31 days'],
  ['90', '90 days'],
] as const

/** The cost of models to a project, day by day, and by one thing that one may ask about. */
export function Spend({ project_id }: { readonly project_id: string }) {
  const { by = 'model', days = '31' } = modelsRoute.useSearch()
  const navigate = useNavigate({ from: modelsRoute.fullPath })
  const { gateway } = useClient().projects
  const since = dayBefore(Number(days) - 1)
  const asked = { group_by: `day,${by}`, since }
  const spend = useQuery({
    queryKey: ['model-spend', project_id, by, since],
    queryFn: () => gateway.spend.get(project_id, asked),
  })
  const save = useMutation({
    mutationFn: async () => {
      const answer = await gateway.spend.csv(project_id, asked)
      saveFile('spend.csv', 'text/csv', await answer.text())
    },
  })
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Segments
          label="Span"
          options={spans}
          value={days}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, days: next }) })}
        />
        <Select
          label="Group"
          inline
          options={groups}
          value={by}
          onChange={(next) =>
            void navigate({
              search: (before) => ({ ...before, by: groups.find(([key]) => key === next)?.[0] }),
            })
          }
        />
        <button type="button" className="button" disabled={save.isPending} onClick={() => save.mutate()}>
          <Download aria-hidden />
          CSV
        </button>
      </div>
      <Failure error={save.error} />
      <Loaded query={spend}>{(found) => <Found spend={found} by={by} project_id={project_id} />}</Loaded>
    </>
  )
}

interface FoundProps {
  readonly spend: SpendAnswer
  readonly by: (typeof groups)[number][0]
  readonly project_id: string
}

function Found({ spend, by, project_id }: FoundProps) {
  const stacks = useMemo(() => stacksOf(spend, (row) => row[by] ?? 'None'), [spend, by])
  const { total } = spend
  if (total.calls === 0)
    return (
      <Empty title="No model was called in this time">
        <p className="hint">
          Sessions call models through the gateway once the project has the feature model_gateway.
        </p>
      </Empty>
    )
  return (
    <>
      <p className="text-20 font-semibold" aria-live="polite">
        {dollars(total.cost_micros)}{' '}
        <span className="hint font-normal">
          {total.calls.toLocaleString()} calls
          {total.unpriced_calls > 0 && `, ${total.unpriced_calls.toLocaleString()} of models without a price`}
        </span>
      </p>
      <Suspense fallback={<div className="chart" />}>
        <SpendChart stacks={stacks} />
      </Suspense>
      <DataTable caption="Spend" columns={['Name', 'Cost', 'Calls', 'Input tokens', 'Output tokens']}>
        {sumsOf(spend.rows, by).map(({ name, cost_micros, calls, input_tokens, output_tokens }) => (
          <tr key={name ?? ''}>
            <th scope="row" dir="auto">
              {by === 'session' && name !== null ? (
                <Link
                  to="/projects/$project_id/sessions/$session_id"
                  params={{ project_id, session_id: name }}
                >
                  {name.slice(0, 8)}
                </Link>
              ) : (
                (name ?? <span className="faint">none</span>)
              )}
            </th>
            <td data-name="Cost">{dollars(cost_micros)}</td>
            <td data-name="Calls">{calls.toLocaleString()}</td>
            <td data-name="Input tokens">{input_tokens.toLocaleString()}</td>
            <td data-name="Output tokens">{output_tokens.toLocaleString()}</td>
          </tr>
        ))}
      </DataTable>
    </>
  )
}

/** The day so many days ago, in UTC, as the spend is counted. */
function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
