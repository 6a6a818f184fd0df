import { monitorLimits } from './monitor-limits.ts'

/** The events that a monitor may still send: tokens as they were at `at`, and until when it is not listened to. */
export interface EventBudget {
  readonly tokens: number
  readonly at: Date
  readonly suppressed_until: Date | null
}

type BudgetLimits = Readonly<Record<'burst' | 'event_every_ms' | 'suppressed_ms', number>>

export function fullBudget(now: Date, limits: Pick<BudgetLimits, 'burst'> = monitorLimits): EventBudget {
  return { tokens: limits.burst, at: now, suppressed_until: null }
}

/** Tells if one more event goes through, and the budget after it. The first one without a token ends the listening. */
export function spendEvent(
  budget: EventBudget,
  now: Date,
  limits: BudgetLimits = monitorLimits,
): { readonly admitted: boolean; readonly budget: EventBudget } {
  const { suppressed_until } = budget
  // A clock that steps back gives no tokens and takes none.
  const passed = Math.max(0, now.getTime() - budget.at.getTime())
  const tokens = Math.min(limits.burst, budget.tokens + passed / limits.event_every_ms)
  const at = passed > 0 ? now : budget.at
  if (suppressed_until !== null && now < suppressed_until)
    return { admitted: false, budget: { tokens, at, suppressed_until } }
  if (tokens >= 1) return { admitted: true, budget: { tokens: tokens - 1, at, suppressed_until: null } }
  const until = new Date(now.getTime() + limits.suppressed_ms)
  return { admitted: false, budget: { tokens, at, suppressed_until: until } }
}
