import type { Budget } from '@svc/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { dollars } from '../money.ts'
import { RemoveButton } from '../../records/remove-button.tsx'
import { type MoneyPlace, useMoney } from '../place.ts'
import { AddBudget } from './add-budget.tsx'
import { BudgetWindow } from './budget-window.tsx'
import { EditBudget } from './edit-budget.tsx'

/** The most windows of one budget that are shown: the fullest. */
const maxWindows = 5

/** Budgets of a project or an account with what is spent and held in each of their windows. */
export function Budgets({ place }: { readonly place: MoneyPlace }) {
  const { id, budgets } = useMoney(place)
  const list = useQuery({
    queryKey: ['model-budgets', id],
    queryFn: () => budgets.list(id),
    refetchInterval: 10_000,
  })
  const [adding, setAdding] = useState(false)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <p className="hint grow">
          A call begins only if its budgets pay for the most that it can cost, which they hold until it ends.
        </p>
        {/* Who may not read them may set none. */}
        {list.isSuccess && (
          <GuardedButton
            needs="project.gateway.budget.set"
            className="button primary"
            onClick={() => setAdding(true)}
          >
            <Plus aria-hidden />
            Add budget
          </GuardedButton>
        )}
      </div>
      <Loaded query={list}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No budget yet">
              <p className="hint">Without one, calls end at what the plan of the account pays for.</p>
            </Empty>
          ) : (
            <ul className="grid gap-3" aria-label="Budgets">
              {found.map((budget) => (
                <li key={budget.budget_id} className="card grid gap-3 p-4">
                  <BudgetCard place={place} budget={budget} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {adding && <AddBudget place={place} onClose={() => setAdding(false)} />}
    </>
  )
}

interface CardProps {
  readonly place: MoneyPlace
  readonly budget: Budget
}

function BudgetCard({ place, budget }: CardProps) {
  const { id, budgets } = useMoney(place)
  const queries = useQueryClient()
  const [editing, setEditing] = useState(false)
  const { name, mode, cap_micros, windows } = budget
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h3 dir="auto">{name}</h3>
        <span className="hint grow">
          {dollars(cap_micros)} {spanOf(place, budget)}
          {mode === 'alert' && ', alerts only'}
        </span>
        <span className="flex gap-2">
          <GuardedButton
            needs="project.gateway.budget.set"
            className="button small"
            onClick={() => setEditing(true)}
          >
            Change<span className="sr-only"> {name}</span>
          </GuardedButton>
          <RemoveButton
            verb="Delete"
            needs="project.gateway.budget.set"
            of={name}
            run={() => budgets.delete(id, budget.budget_id)}
            onDone={() => queries.invalidateQueries({ queryKey: ['model-budgets', id] })}
            said={`Deleted ${name}.`}
          >
            Nothing holds calls to it any more. What was spent stays in the log.
          </RemoveButton>
        </span>
      </div>
      {windows.length === 0 && <p className="faint">Nothing spent in this span.</p>}
      {windows.slice(0, maxWindows).map((window) => (
        <BudgetWindow
          key={`${window.subject} ${window.window_start}`}
          window={window}
          nameOf={(subject) => subjectName(place, subject)}
          cap_micros={cap_micros}
          named={budget.level !== place.kind && budget.subject === null}
        />
      ))}
      {editing && <EditBudget place={place} budget={budget} onClose={() => setEditing(false)} />}
    </>
  )
}

/** A budget's level and period in words: `a day, for each session`. */
function spanOf(place: MoneyPlace, { level, period, subject }: Pick<Budget, 'level' | 'period' | 'subject'>) {
  const time = period === 'total' ? 'in all' : `a ${period}`
  if (level === 'call') return 'a call'
  if (level === place.kind) return `${time}, for the ${level}`
  return subject === null
    ? `${time}, for each ${level}`
    : `${time}, for the ${level} ${subjectName(place, subject)}`
}

/** A project of an account by its name; all else is named by what it is. */
const subjectName = (place: MoneyPlace, subject: string): string =>
  (place.kind === 'account' ? place.projects.get(subject) : undefined) ?? subject
