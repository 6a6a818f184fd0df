import { latencyBounds, latencyClass } from '@svc/app'
import type { Logger, Meter } from '@svc/boot'
import { appInstances, appMinutes, type AppMinuteRow, type Db } from '@svc/db'
import type { CountedAnswer } from './visits.ts'

export interface Usage {
  onAnswer(answer: CountedAnswer): void
  onBytes(app_id: string, bytes: number): void
  onVisit(instance_id: string): void
  onWoken(app_id: string, ms: number): void
  /** Writes down what is left. */
  close(): Promise<void>
}

interface UsageParts {
  readonly db: Db
  readonly log: Logger
  readonly metrics?: Meter | undefined
  readonly now: () => number
}

/** Visits are written down at most this often. */
const visitsMs = 2000
const minutesMs = 10_000
/** Minutes that are kept while they cannot be written. */
const maxOwed = 10_000

const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

type Counted = 'classes' | 'latency' | 'wake_latency'
type Minute = Omit<AppMinuteRow, Counted> & Record<Counted, number[]>

const noTimes = () => Array.from({ length: latencyBounds.length + 1 }, () => 0)

function add(counts: number[], at: number, more = 1): void {
  counts[at] = (counts[at] ?? 0) + more
}

/** The sum of what was counted before and since. */
function merged(minute: Minute, since: Minute | undefined): Minute {
  if (since === undefined) return minute
  for (const key of ['classes', 'latency', 'wake_latency'] as const)
    for (const [at, more] of since[key].entries()) add(minute[key], at, more)
  for (const key of ['wakes', 'wake_ms', 'bytes_out'] as const) minute[key] += since[key]
  return minute
}

/** Counts what apps answer, and when they were asked last. What cannot be written is tried again with the next. */
export function countUsage({ db, log, metrics, now }: UsageParts): Usage {
  const minutes = new Map<string, Minute>()
  const visited = new Set<string>()
  let busy = Promise.resolve()

  const minuteOf = (app_id: string): Minute => {
    const at = Math.floor(now() / 60_000) * 60_000
    const key = `${app_id} ${at}`
    const one = minutes.get(key) ?? {
      ...{ app_id, minute: new Date(at), classes: Array.from({ length: 5 }, () => 0) },
      ...{ latency: noTimes(), wakes: 0, wake_ms: 0, wake_latency: noTimes(), bytes_out: 0 },
    }
    minutes.set(key, one)
    return one
  }
  const writeVisits = async () => {
    const ids = [...visited]
    visited.clear()
    await appInstances.sawRequests(db, ids, new Date(now())).catch((error: unknown) => {
      for (const id of ids) visited.add(id)
      log.warn({ err: error }, 'Visits of apps were not written down')
    })
  }
  const writeMinutes = async () => {
    const counted = [...minutes.entries()]
    minutes.clear()
    const rows = counted.map(([, minute]) => minute)
    await appMinutes.add(db, rows).catch((error: unknown) => {
      for (const [key, minute] of counted.slice(-maxOwed)) minutes.set(key, merged(minute, minutes.get(key)))
      log.warn({ err: error, minutes: rows.length }, 'Answers of apps were not counted')
    })
  }
  const again = (work: () => Promise<void>) => () => {
    busy = busy.then(work)
  }
  const timers = [setInterval(again(writeVisits), visitsMs), setInterval(again(writeMinutes), minutesMs)]
  for (const timer of timers) timer.unref()
  return {
    onAnswer({ app_id, status, ms, bytes }) {
      const minute = minuteOf(app_id)
      const digit = Math.min(5, Math.max(1, Math.floor(status / 100)))
      add(minute.classes, digit - 1)
      add(minute.latency, latencyClass(ms))
      minute.bytes_out += bytes
      metrics?.count('svc_app_requests_total', { class: classes[digit - 1] ?? '5xx' })
      metrics?.observe('svc_app_proxy_seconds', {}, ms / 1000)
    },
    onBytes(app_id, bytes) {
      minuteOf(app_id).bytes_out += bytes
    },
    onVisit: (instance_id) => void visited.add(instance_id),
    onWoken(app_id, ms) {
      const minute = minuteOf(app_id)
      minute.wakes += 1
      minute.wake_ms += Math.round(ms)
      add(minute.wake_latency, latencyClass(ms))
      metrics?.observe('svc_app_wake_seconds', {}, ms / 1000)
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await busy
      await writeVisits()
      await writeMinutes()
    },
  }
}
