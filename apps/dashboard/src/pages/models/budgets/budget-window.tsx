import type { Budget } from '@svc/sdk'
import { Moment } from '../../../parts/moment.tsx'
import { dollars } from '../../../parts/money.ts'

interface Props {
  readonly window: Budget['windows'][number]
  readonly cap_micros: number
  /** The window is of one of many, and says of which. */
  readonly named: boolean
}

/** The spent and the held part of a cap, as a bar and in words. */
export function BudgetWindow({ window, cap_micros, named }: Props) {
  const { subject, spent_micros, held_micros, resets_at } = window
  const share = (micros: number) =>
    cap_micros === 0 ? 100 : Math.min(100, Math.round((micros / cap_micros) * 1_000) / 10)
  const spent = share(spent_micros)
  const full = spent_micros >= cap_micros
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap gap-x-3 text-12">
        {named && (
          <span className="font-semibold" dir="auto">
            {subject}
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
      <div
        className="meter"
        role="meter"
        aria-label="Spent"
        aria-valuemin={0}
        aria-valuemax={cap_micros}
        aria-valuenow={spent_micros}
        aria-valuetext={`${dollars(spent_micros)} of ${dollars(cap_micros)}`}
        data-tone={full ? 'bad' : spent >= 80 ? 'warn' : 'ok'}
      >
        <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none">
          <rect className="spent" width={spent} height="1" />
          <rect className="held" x={spent} width={Math.min(100 - spent, share(held_micros))} height="1" />
        </svg>
      </div>
    </div>
  )
}
