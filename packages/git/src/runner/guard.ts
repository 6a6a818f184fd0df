import type { ChildProcess } from 'node:child_process'

const graceMs = 2_000

export interface GuardOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeout_ms?: number | undefined
}

/** Watches over one child: ends it, with everything it started, when its caller leaves or its time is up. */
export interface Guard {
  /** The reason why the child was told to end; undefined before it was. */
  readonly reason: () => unknown
  stop(reason: unknown): void
}

/** The child must lead its own process group. SIGTERM comes first: git then removes its own lock files. */
export function guardChild(child: ChildProcess, options: GuardOptions): Guard {
  const { signal, timeout_ms } = options
  const timers: NodeJS.Timeout[] = []
  let reason: unknown
  let ended = false

  const send = (name: 'SIGTERM' | 'SIGKILL') => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, name)
    } catch {
      // The group has gone already.
    }
  }
  const stop = (why: unknown) => {
    if (ended || reason !== undefined) return
    reason = why ?? new Error('stopped')
    send('SIGTERM')
    timers.push(setTimeout(() => send('SIGKILL'), graceMs))
  }
  const leave = () => stop(signal?.reason)
  const done = () => {
    ended = true
    for (const timer of timers) clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }

  if (timeout_ms !== undefined) {
    timers.push(setTimeout(() => stop(new Error(`git ran longer than ${timeout_ms} ms`)), timeout_ms))
  }
  signal?.addEventListener('abort', leave, { once: true })
  child.once('close', done)
  child.once('error', done)
  return { reason: () => reason, stop }
}
