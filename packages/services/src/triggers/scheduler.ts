import { setTimeout as delay } from 'node:timers/promises'
import type { BaseContext } from '@svc/context'
import { triggerCatalogues, triggerDeliveries, triggerFires, triggers } from '@svc/db'
import type { Outages } from '@svc/boot'
import { pauseAfterFailures } from '@svc/timing'
import { repeatWindowMs } from '@svc/trigger'
import { outagesOf } from '../sweeps/outages.ts'
import { refreshDueCatalogues } from './catalogue.ts'
import { fireNextDue } from './fire-due.ts'
import { fireNextOwed } from './run-fire.ts'

export interface TriggerSchedulerOptions {
  /** The longest sleep. */
  readonly interval_ms: number
  readonly catch_up_ms: number
  /** Fires at a time; one that hangs holds one of them. */
  readonly workers?: number
  /** Shared with the other loops of the process; its own when absent. */
  readonly outages?: Outages
}

export interface TriggerScheduler {
  /** The wait of the oldest due trigger or owed fire, in milliseconds; 0 when nothing is late. */
  lag(): Promise<number>
  /** Takes nothing more and waits for what runs. */
  close(): Promise<void>
}

const catalogueBatch = 8
/** A due row that cannot be claimed is held by another process: ask again after this. */
const contendedMs = 200

/** Fires what is due. Any number may run anywhere: rows are claimed, never shared. */
export function startTriggerScheduler(ctx: BaseContext, options: TriggerSchedulerOptions): TriggerScheduler {
  const { interval_ms, catch_up_ms, workers = 4, outages = outagesOf(ctx.log) } = options
  const stop = new AbortController()
  const { signal } = stop
  const sleepers = new Set<() => void>()
  let changes = 0
  const wake = () => {
    changes += 1
    for (const end of sleepers) end()
  }
  const unsubscribe = ctx.listener.subscribe('triggers', wake)

  /** A change told between the look and the sleep ends the sleep before it begins. */
  const sleep = async (ms: number, seen = changes) => {
    if (signal.aborted || seen !== changes) return
    const end = new AbortController()
    const finish = () => end.abort()
    sleepers.add(finish)
    await delay(Math.max(1, ms), undefined, { signal: end.signal }).catch(() => undefined)
    sleepers.delete(finish)
  }

  /** Works while there is work; then sleeps until there is again, or a change is told. */
  const loop = async (part: string, work: () => Promise<boolean>, next: () => Promise<Date | null>) => {
    let failures = 0
    while (!signal.aborted) {
      const seen = changes
      try {
        const worked = await work()
        failures = 0
        if (worked) continue
        const at = await next()
        outages.worked(part)
        const ms = at === null ? interval_ms : at.getTime() - ctx.now().getTime()
        await sleep(Math.min(interval_ms, ms <= 0 ? contendedMs : ms), seen)
      } catch (error) {
        failures += 1
        outages.failed(part, error)
        await sleep(pauseAfterFailures(failures))
      }
    }
  }
  const fire = async () => (await fireNextDue(ctx, { catch_up_ms })) || (await fireNextOwed(ctx))
  const look = async () => (await refreshDueCatalogues({ ...ctx, signal }, catalogueBatch)) > 0
  const loops = [
    ...Array.from({ length: workers }, (_, index) =>
      loop(`trigger scheduler ${index + 1}`, fire, () => nextWork(ctx)),
    ),
    loop('trigger catalogues', look, () => triggerCatalogues.nextCheck(ctx.db)),
  ]
  return {
    lag: async () => {
      const at = await nextWork(ctx)
      return at === null ? 0 : Math.max(0, ctx.now().getTime() - at.getTime())
    },
    close: async () => {
      stop.abort()
      unsubscribe()
      wake()
      await Promise.all(loops)
    },
  }
}

async function nextWork({ db }: Pick<BaseContext, 'db'>): Promise<Date | null> {
  const [due, owed] = await Promise.all([triggers.nextDue(db), triggerFires.nextOwed(db)])
  if (due === null || owed === null) return due ?? owed
  return due < owed ? due : owed
}

const retentionBatch = 5_000

export interface KeptHistory {
  /** Ledger rows; a fire that is still owed its session stays. */
  readonly fires_ms: number
  /** Deliveries to webhooks, with their bodies. */
  readonly deliveries_ms: number
}

/** Removes what is older than it is kept, and delivery ids after the day in which repeats count; how many rows. */
export async function sweepTriggerHistory(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  { fires_ms, deliveries_ms }: KeptHistory,
): Promise<number> {
  const now = ctx.now().getTime()
  const fires = await triggerFires.removeOlder(ctx.db, new Date(now - fires_ms), retentionBatch)
  const deliveries = await triggerDeliveries.removeOlder(
    ctx.db,
    new Date(now - deliveries_ms),
    new Date(now - repeatWindowMs),
    retentionBatch,
  )
  return fires + deliveries
}
