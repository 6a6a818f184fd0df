import { setTimeout as delay } from 'node:timers/promises'
import type { Outages } from '@svc/boot'
import { monitorHosts, StaleHost } from '@svc/db'
import { pauseAfterFailures } from '@svc/timing'
import { outagesOf } from '../../sweeps/outages.ts'
import { type MonitorContext, type MonitorSettings, monitorSettings } from './settings.ts'
import { superviseOnce } from './supervise.ts'

export interface MonitorSupervisor {
  /** Lets go of every project; the commands run on, and another scheduler hears them. */
  close(): Promise<void>
}

interface HeldProject {
  readonly held: monitorHosts.HeldHost
  readonly stop: AbortController
  session_id: string | null
  changes: AbortController
  done: Promise<void>
}

/** Few at a time, so that schedulers that start together share the projects. */
const claimedAtOnce = 4
/** The shortest time between two looks of a scheduler for projects, however many notifications come. */
const minPauseMs = 200

/**
 * Looks after the monitors of projects that no other scheduler looks after. Any number may run anywhere: a project is
 * one scheduler's until it lets go or falls silent, and what a scheduler writes after that fails on its fence.
 */
export function startMonitorSupervisor(
  ctx: MonitorContext,
  given: Partial<MonitorSettings> = {},
  outages: Outages = outagesOf(ctx.log),
): MonitorSupervisor {
  const settings = { ...monitorSettings, ...given }
  const closing = new AbortController()
  const mine = new Map<string, HeldProject>()
  let woken = new AbortController()
  const wake = () => {
    woken.abort()
    woken = new AbortController()
  }
  const notify = (one: HeldProject) => {
    one.changes.abort()
    one.changes = new AbortController()
  }
  const unsubscribe = [
    ctx.listener.subscribe('triggers', (payload) => {
      for (const one of mine.values())
        if (payload === null || payload.project_id === one.held.project_id) notify(one)
      wake()
    }),
    ctx.listener.subscribe('session', (payload) => {
      for (const one of mine.values())
        if (payload === null || payload.session_id === one.session_id) notify(one)
    }),
  ]

  async function supervise(one: HeldProject): Promise<void> {
    const { signal } = one.stop
    const supervised = {
      held: one.held,
      settings,
      signal,
      changes: () => one.changes.signal,
      watch: (session_id: string | null) => {
        one.session_id = session_id
      },
      reach: { since: null, outages },
    }
    const part = `monitors of ${one.held.project_id}`
    let failures = 0
    while (!signal.aborted) {
      try {
        if (!(await superviseOnce(ctx, supervised))) break
        failures = 0
        outages.worked(part)
      } catch (error) {
        if (signal.aborted || error instanceof StaleHost) break
        failures += 1
        outages.failed(part, error)
        await rest(pauseAfterFailures(failures), signal)
      }
    }
    outages.worked(part)
    if (mine.get(one.held.project_id) === one) mine.delete(one.held.project_id)
  }

  /** Keeps the projects that it holds, lets go of those that it lost, and takes those that no process holds. */
  async function round(): Promise<void> {
    const held = [...mine.values()]
    const kept = new Set(
      await monitorHosts.renew(
        ctx.db,
        held.map((one) => one.held),
        settings.ttl_ms,
      ),
    )
    for (const one of held) if (!kept.has(one.held.project_id)) one.stop.abort()
    await monitorHosts.insertWanted(ctx.db)
    const room = Math.min(claimedAtOnce, settings.max_projects - mine.size)
    if (room <= 0) return
    for (const claimed of await monitorHosts.claim(ctx.db, settings.ttl_ms, room)) {
      mine.get(claimed.project_id)?.stop.abort()
      const one: HeldProject = {
        held: claimed,
        stop: new AbortController(),
        session_id: null,
        changes: new AbortController(),
        done: Promise.resolve(),
      }
      mine.set(claimed.project_id, one)
      one.done = supervise(one)
    }
  }

  const loop = (async () => {
    while (!closing.signal.aborted) {
      const { signal } = woken
      await round().then(
        () => outages.worked('monitors'),
        (error: unknown) => outages.failed('monitors', error),
      )
      await rest(minPauseMs, closing.signal)
      await rest(settings.ttl_ms / 5, AbortSignal.any([signal, closing.signal]))
    }
  })()

  return {
    close: async () => {
      closing.abort()
      for (const end of unsubscribe) end()
      await loop
      const held = [...mine.values()]
      for (const one of held) one.stop.abort()
      await Promise.all(held.map((one) => one.done))
      for (const one of held) await monitorHosts.release(ctx.db, one.held)
    },
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await delay(Math.max(1, ms), undefined, { signal }).catch(() => undefined)
}
