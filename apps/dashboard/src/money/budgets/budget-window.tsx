import type { Budget } from '@svc/sdk'
import { Meter } from '../../parts/meter.tsx'
import { Moment } from '../../parts/moment.tsx'
import { dollars } from '../money.ts'

interface Props {
  readonly window: Budget['windows'][number]
  readonly cap_micros: number
  readonly nameOf: (subject: string) => string
  /** The window is of one of many, and says of which. */
  readonly named: boolean
}

/** The spent and the held part of a cap, as a bar and in words. */
export function BudgetWindow({ window, cap_micros, nameOf, named }: Props) {
  const { subject, spent_micros, held_micros, resets_at } = window
  const full = spent_micros >= cap_micros
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap gap-x-3 text-12">
        {named && (
          <span className="font-semibold" dir="auto">
            {nameOf(subject)}
          </span>
        )}
        <span>{dollars(spent_micros)} spent</span>
        {held_micros > 0 && <span>{dollars(held_micros)} held by running calls</span>}
        {full && <span className="text-bad-text">full</span>}
        {resets_at !== null && (
          <span className="faint">
            begins anew <Moment at={resets_at} />
          </span>
        )}
      </p>
      <Meter
        label="Spent"
        value={spent_micros}
        max={cap_micros}
        held={held_micros}
        words={`${dollars(spent_micros)} of ${dollars(cap_micros)}`}
      />
    </div>
  )
}
