import { counted } from '@svc/facts'
import type { AppMetrics, ProjectApp } from '@svc/sdk'
import { Failure } from '../../parts/failure.tsx'
import { Meter } from '../../parts/meter.tsx'
import { Moment } from '../../parts/moment.tsx'
import { dollars } from './app-words.ts'
import { AppLog } from './app-log.tsx'
import { useDayOf } from './requests.tsx'
import { Sparkline } from './sparkline.tsx'

/** The program of an app: whether it runs, how it answers, what it costs and what it prints. */
export function Running({ app }: { readonly app: ProjectApp }) {
  const { data, error } = useDayOf(app)
  return (
    <section aria-labelledby="running" className="grid gap-2">
      <h2 id="running">Running</h2>
      <dl className="facts">
        <dt>Instance</dt>
        <dd>
          <Instance of={app.instance} />
        </dd>
        {app.budget !== null && <Spent budget={app.budget} />}
        {data !== undefined && <Day of={data} />}
      </dl>
      <Failure error={error} />
      <AppLog app={app} />
    </section>
  )
}

function Spent({ budget }: { readonly budget: NonNullable<ProjectApp['budget']> }) {
  const { spent_micros, cap_micros } = budget
  const words = `${dollars(spent_micros)} of ${dollars(cap_micros)}`
  return (
    <>
      <dt>Spent this month</dt>
      <dd className="grid max-w-60 gap-1">
        {words}
        <Meter
          label="Spent of the budget of this month"
          value={spent_micros}
          max={cap_micros}
          words={words}
        />
      </dd>
    </>
  )
}

function Day({ of: { points, requests, p50_ms, p95_ms, wakes, wake_ms } }: { readonly of: AppMetrics }) {
  const all = Object.values(requests).reduce((sum, count) => sum + count, 0)
  return (
    <>
      <dt>Last 24 hours</dt>
      <dd className="flex flex-wrap items-center gap-x-2">
        {all > 0 && (
          <Sparkline label="Requests of the last 24 hours" values={points.map((one) => one.requests)} />
        )}
        <span>
          {all === 0 ? 'no request' : counted(all, 'request')}
          {requests['5xx'] > 0 && `, ${requests['5xx']} of them errors of 500 and more`}
        </span>
      </dd>
      {p50_ms !== null && (
        <>
          <dt>Answered within</dt>
          <dd>
            {p50_ms} ms for half of them, {p95_ms} ms for 95 of 100
          </dd>
        </>
      )}
      {wake_ms !== null && (
        <>
          <dt>Woken</dt>
          <dd>
            {counted(wakes, 'time')}, within {wake_ms} ms for half of them
          </dd>
        </>
      )}
    </>
  )
}

function Instance({ of }: { readonly of: ProjectApp['instance'] }) {
  if (of === null) return 'none: it sleeps until a visitor comes, or is stopped'
  const { state, started_at, restarts, stale } = of
  return (
    <>
      {state === 'healthy' ? 'answers' : 'is starting'}
      {started_at !== null && (
        <>
          , since <Moment at={started_at} />
        </>
      )}
      {restarts > 0 && `, started again ${counted(restarts, 'time')}`}
      {stale && '; a secret was changed, and the next start has it'}
    </>
  )
}
