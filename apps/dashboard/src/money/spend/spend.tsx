import { counted } from '@svc/facts'
import type { Spend as SpendAnswer } from '@svc/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Select } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { dollars } from '../money.ts'
import { Segments } from '../../parts/segments.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { type MoneyPlace, useMoney } from '../place.ts'
import { type SpendDays, type SpendGroup, spendSpans } from './groups.ts'
import { SpendName } from './spend-name.tsx'
import { sumsOf } from './sums.ts'
import { stacksOf } from './stacks.ts'

const SpendChart = lazy(() =>
  import('./spend-chart.tsx').then(({ SpendChart: chart }) => ({ default: chart })),
)

interface Props<G extends SpendGroup> {
  readonly place: MoneyPlace
  readonly groups: readonly (readonly [G, string])[]
  readonly by: G
  readonly days: SpendDays
  readonly onChange: (change: { readonly by?: G; readonly days?: SpendDays }) => void
  /** The words below a span without a call. */
  readonly without: ReactNode
}

/** The cost of models to a project or an account, day by day, and by one thing that one may ask about. */
export function Spend<G extends SpendGroup>({ place, groups, by, days, onChange, without }: Props<G>) {
  const { id, spend: money } = useMoney(place)
  const since = dayBefore(Number(days) - 1)
  const asked = { group_by: by === 'day' ? 'day' : `day,${by}`, since }
  const spend = useQuery({
    queryKey: ['model-spend', id, by, since],
    queryFn: () => money.get(id, asked),
  })
  const save = useMutation({
    mutationFn: async () => {
      const answer = await money.csv(id, asked)
      saveFile('spend.csv', 'text/csv', await answer.text())
    },
  })
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Segments
          label="Span"
          options={spendSpans}
          value={days}
          onChange={(next) => onChange({ days: next })}
        />
        <Select
          label="Group"
          inline
          options={groups}
          value={by}
          onChange={(next) => onChange({ by: groups.find(([key]) => key === next)?.[0] ?? by })}
        />
        <button type="button" className="button" disabled={save.isPending} onClick={() => save.mutate()}>
          <Download aria-hidden />
          CSV
        </button>
      </div>
      <Failure error={save.error} />
      <Loaded query={spend}>
        {(found) =>
          found.total.calls === 0 ? (
            <Empty title="No model was called in this time">
              <p className="hint">{without}</p>
            </Empty>
          ) : (
            <Found spend={found} by={by} place={place} />
          )
        }
      </Loaded>
    </>
  )
}

interface FoundProps {
  readonly spend: SpendAnswer
  readonly by: SpendGroup
  readonly place: MoneyPlace
}

function Found({ spend, by, place }: FoundProps) {
  const stacks = useMemo(() => stacksOf(spend, (row) => nameIn(place, by, row[by])), [spend, by, place])
  const { total } = spend
  return (
    <>
      <p className="text-20 font-semibold" aria-live="polite">
        {dollars(total.cost_micros)}{' '}
        <span className="hint font-normal">
          {counted(total.calls, 'call')}
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
              <SpendName place={place} by={by} name={name} />
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

/** The name of a pile in the chart; days are piles of one name. */
function nameIn(place: MoneyPlace, by: SpendGroup, name: string | null | undefined): string {
  if (by === 'day') return 'All calls'
  const shown = place.kind === 'account' && by === 'project' ? place.projects.get(name ?? '') : undefined
  return shown ?? name ?? 'None'
}

/** The day so many days ago, in UTC, as the spend is counted. */
function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
