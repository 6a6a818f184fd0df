import type { ProjectApp } from '@svc/sdk'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { dollars } from './app-words.ts'
import { AppLog } from './app-log.tsx'
import { useDayOf } from './requests.tsx'
import { Sparkline } from './sparkline.tsx'

/** The program of an app: whether it runs, how it answers, what it costs and what it prints. */
export function Running({ app }: { readonly app: ProjectApp }) {
  const metrics = useDayOf(app)
  return (
    <section aria-labelledby="running" className="grid gap-2">
      <h2 id="running">Running</h2>
      <dl className="facts">
        <dt>Instance</dt>
        <dd>
          <Instance of={app.instance} />
        </dd>
        {app.budget !== null && (
          <>
            <dt>Spent this month</dt>
            <dd>
              {dollars(app.budget.spent_micros)} of {dollars(app.budget.cap_micros)}{' '}
              <meter
                aria-label="Part of the budget that is spent"
                min={0}
                max={app.budget.cap_micros}
                value={Math.min(app.budget.spent_micros, app.budget.cap_micros)}
              />
            </dd>
          </>
        )}
      </dl>
      <Loaded query={metrics}>
        {({ points, requests, p50_ms, p95_ms, wakes, wake_ms }) => {
          const all = Object.values(requests).reduce((sum, count) => sum + count, 0)
          return (
            <dl className="facts">
              <dt>Last 24 hours</dt>
              <dd>
                {all === 0 ? 'no request' : `${all} ${all === 1 ? 'request' : 'requests'}`}
                {requests['5xx'] > 0 && `, ${requests['5xx']} of them errors of 500 and more`}{' '}
                <Sparkline label="Requests of the last 24 hours" values={points.map((one) => one.requests)} />
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
                    {wakes} {wakes === 1 ? 'visitor' : 'visitors'} waited, {wake_ms} ms on average
                  </dd>
                </>
              )}
            </dl>
          )
        }}
      </Loaded>
      <AppLog app={app} />
    </section>
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
      {restarts > 0 && `, started again ${restarts} ${restarts === 1 ? 'time' : 'times'}`}
      {stale && '; a secret was changed, and the next start has it'}
    </>
  )
}
