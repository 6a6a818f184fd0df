import { percentile } from '@svc/app'
import { appMinutes, type AppMinuteRow, appMonths, apps } from '@svc/db'
import type { Changing } from '../context.ts'
import { budgetsOf } from '../meter/money.ts'
import { type AppInput, requireApp, requireApps } from './find-app.ts'

const windows = { '1h': 3_600_000, '24h': 86_400_000, '14d': 14 * 86_400_000 } as const
const parts = 60

export interface MetricsInput extends AppInput {
  readonly window: keyof typeof windows
}

/** Answers of each app of a project in the time up to now. */
export async function listAppMetrics(
  ctx: Changing,
  { project_id, window }: Pick<MetricsInput, 'project_id' | 'window'>,
) {
  await requireApps(ctx, project_id, 'project.app.read')
  const since = new Date(ctx.now().getTime() - windows[window])
  const part_ms = windows[window] / parts
  const rows = await apps.list(ctx.db, project_id)
  const ids = rows.map(({ app_id }) => app_id)
  const found = await appMinutes.listParts(ctx.db, ids, { since, part_ms, parts })
  return {
    window,
    apps: rows.map(({ app_id, name }) => {
      const own = found.filter((one) => one.app_id === app_id)
      const points = emptyPoints(since, part_ms)
      for (const { part, classes } of own) count(points[part], classes)
      return { app: name, requests: byClass(summed(own.map(({ classes }) => classes))), points }
    }),
  }
}

/** Answers of an app in the time up to now. */
export async function readAppMetrics(ctx: Changing, input: MetricsInput) {
  const { app } = await requireApp(ctx, input, 'project.app.read')
  const { window } = input
  const since = new Date(ctx.now().getTime() - windows[window])
  const minutes = await appMinutes.list(ctx.db, app.app_id, since)
  const sum = (pick: (minute: AppMinuteRow) => number) => minutes.reduce((all, one) => all + pick(one), 0)
  const latency = summed(minutes.map((one) => one.latency))
  return {
    metrics: {
      window,
      requests: byClass(summed(minutes.map((one) => one.classes))),
      bytes_out: sum((one) => one.bytes_out),
      ...{ p50_ms: percentile(latency, 0.5), p95_ms: percentile(latency, 0.95) },
      p99_ms: percentile(latency, 0.99),
      wakes: sum((one) => one.wakes),
      wake_ms: percentile(summed(minutes.map((one) => one.wake_latency)), 0.5),
      points: pointsOf(minutes, since, windows[window] / parts),
    },
  }
}

function summed(all: readonly (readonly number[])[]): number[] {
  const sums: number[] = []
  for (const counts of all) for (const [at, count] of counts.entries()) sums[at] = (sums[at] ?? 0) + count
  return sums
}

function byClass(sums: readonly number[]) {
  const of = (digit: number) => sums[digit - 1] ?? 0
  return { '1xx': of(1), '2xx': of(2), '3xx': of(3), '4xx': of(4), '5xx': of(5) }
}

interface Point {
  readonly at: Date
  requests: number
  errors: number
}

const emptyPoints = (since: Date, part_ms: number): Point[] =>
  Array.from({ length: parts }, (_, n) => ({
    ...{ at: new Date(since.getTime() + n * part_ms), requests: 0, errors: 0 },
  }))

function count(point: Point | undefined, classes: readonly number[]): void {
  if (point === undefined) return
  point.requests += classes.reduce((all, one) => all + one, 0)
  point.errors += classes[4] ?? 0
}

function pointsOf(minutes: readonly AppMinuteRow[], since: Date, part_ms: number) {
  const points = emptyPoints(since, part_ms)
  for (const { minute, classes } of minutes) {
    const at = Math.min(parts - 1, Math.floor((minute.getTime() - since.getTime()) / part_ms))
    count(points[at], classes)
  }
  return points
}

/** The costs of an app, by month. */
export async function readAppUsage(ctx: Changing, input: AppInput) {
  const { app } = await requireApp(ctx, input, 'project.app.read')
  const [months, budgets] = await Promise.all([
    appMonths.list(ctx.db, app.app_id, 24),
    budgetsOf(ctx.db, [app], ctx.now()),
  ])
  return { months, budget: budgets.get(app.app_id) ?? null }
}
