import type { BaseContext } from '@svc/context'
import { type Beat, calls } from '@svc/db'
import { beatMs, leaseMs, ownCutMs } from './lease.ts'

/** A call that this process runs. */
export interface RunningCall {
  readonly call_id: string
  /** When its lease was asked for: `asked_ms` of its admission. */
  readonly asked_ms: number
  /** Its charge if this process is heard of no more after this beat. */
  beat(): Omit<Beat, 'call_id'>
  /** Another process ended it, or may have: nothing of it may be paid for any more. */
  fence(): void
}

export interface Beats {
  add(call: RunningCall): void
  /** Once it is settled, or about to be. */
  remove(call_id: string): void
  close(): Promise<void>
}

/**
 * Renews the calls of a process every 2 s, all in one statement. A call whose row is gone is fenced; so is one whose
 * lease ends in 2 s by this process's own clock, as when PostgreSQL is away.
 */
export function startBeats(ctx: Pick<BaseContext, 'db'> & { log: Pick<BaseContext['log'], 'warn'> }): Beats {
  const running = new Map<string, { readonly call: RunningCall; leased_ms: number }>()
  const fence = (call: RunningCall) => {
    running.delete(call.call_id)
    call.fence()
  }
  const fenceLate = () => {
    const late = performance.now() - (leaseMs - ownCutMs)
    for (const { call, leased_ms } of running.values()) if (leased_ms <= late) fence(call)
  }
  const renew = async () => {
    const asked_ms = performance.now()
    const reported = [...running.values()].map(({ call }) => call)
    if (reported.length === 0) return
    const beats = reported.map((call) => ({ ...call.beat(), call_id: call.call_id }))
    const kept = new Set(await calls.renew(ctx.db, beats, leaseMs))
    for (const call of reported) {
      const mine = running.get(call.call_id)
      if (mine === undefined) continue
      if (kept.has(call.call_id)) mine.leased_ms = asked_ms
      else fence(call)
    }
  }
  let renewing: Promise<void> | null = null
  const timer = setInterval(() => {
    fenceLate()
    renewing ??= renew()
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'the calls that run could not be renewed'))
      .finally(() => (renewing = null))
  }, beatMs)
  return {
    add: (call) => void running.set(call.call_id, { call, leased_ms: call.asked_ms }),
    remove: (call_id) => void running.delete(call_id),
    close: async () => {
      clearInterval(timer)
      await renewing
    },
  }
}
