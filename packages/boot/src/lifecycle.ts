import { setTimeout as sleep } from 'node:timers/promises'
import { settled, untilAborted } from '@svc/timing'
import type { Logger } from './logger.ts'

/** `force` is aborted when most of the time is over: work that has not ended well by then is to be ended at once. */
type Close = (force: AbortSignal) => unknown

export interface Lifecycle {
  /**
   * Registers a resource that was just opened; the last one opened is closed first. Throws when the process is ending,
   * so that a start opens nothing more.
   */
  defer(name: string, close: Close): void
  /** Registers a call that tells others, once the process is asked to end and before anything closes, that it leaves. */
  onLeaving(notify: (reason: string) => void): void
  /**
   * Ends the process in order: on SIGTERM and SIGINT with 0, on a failed start or a stray error with 1, on a second
   * signal at once. Returns when `start` has, and the process lives on with what it opened. A start that is under way
   * when the end comes is told by `stopping` and waited for: the resources that it opens are closed as well.
   */
  run(start?: (stopping: AbortSignal) => Promise<unknown>): Promise<void>
  /** The same end, asked for by the program itself. It waits for the start, which cannot wait for it: it throws. */
  stop(reason: string, exit_code?: number): Promise<void>
}

export interface LifecycleOptions {
  /** Time that everything together may take to close. */
  readonly drain_ms?: number
  /** Time from SIGTERM to the first close, in which a proxy learns that this process leaves and others are asked. */
  readonly notice_ms?: number
  /** Tells why there was no start; the log does otherwise. */
  readonly on_failed_start?: (error: unknown) => void
  readonly host?: Host
}

/** The part of `process` that is used here. */
export interface Host {
  on(event: string, listener: (subject: unknown) => void): unknown
  exit(code: number): unknown
}

/** The part of the drain time for ending well; the rest is for ending at all. */
const kindly = 0.75

const signalNumbers = { SIGTERM: 15, SIGINT: 2 } as const

export function createLifecycle(
  log: Logger,
  {
    drain_ms = 20_000,
    notice_ms = 0,
    host = process,
    on_failed_start = (err) => log.fatal({ err }, 'The start failed'),
  }: LifecycleOptions = {},
): Lifecycle {
  const open: { name: string; close: Close }[] = []
  let closing = ''
  const took_ms: Record<string, number> = {}
  const stopping = new AbortController()
  const leaving: ((reason: string) => void)[] = []
  const cutShort = new AbortController()
  let starting: Promise<void> = Promise.resolve()
  let isUp = false
  let isNotice = false
  let exit_code = 0
  let ended: Promise<void> | undefined

  const closeOpen = async (force: AbortSignal): Promise<boolean> => {
    let clean = true
    for (let next = open.pop(); next; next = open.pop()) {
      closing = next.name
      const began = performance.now()
      try {
        await next.close(force)
      } catch (err) {
        clean = false
        log.error({ err, part: next.name }, 'A part did not close well')
      }
      took_ms[next.name] = Math.round(performance.now() - began)
    }
    return clean
  }

  const closeAll = async (force: AbortSignal): Promise<boolean> => {
    closing = 'the start'
    await untilAborted(starting, force)
    const clean = await closeOpen(force)
    // Only a start that was no longer waited for can have opened a resource since.
    closing = 'the start'
    await starting
    return (await closeOpen(force)) && clean
  }

  /** A start that is under way is not listened to yet, and a second reason to end is one to end now. */
  const leave = async (reason: string, ms: number): Promise<void> => {
    for (const notify of leaving) notify(reason)
    if (!isUp || ms === 0) return
    log.info({ reason, notice_ms: ms }, 'Leaving: requests are still taken')
    isNotice = true
    await sleep(ms, undefined, { signal: cutShort.signal }).catch(() => undefined)
    isNotice = false
  }

  const end = async (reason: string, ms: number): Promise<void> => {
    await leave(reason, ms)
    log.info({ reason }, 'Closing')
    stopping.abort(new Error(`The process is ending: ${reason}`))
    const force = new AbortController()
    const forcing = setTimeout(() => {
      log.warn({ waiting_for: closing, took_ms }, 'Closing takes long: what is left is ended at once')
      force.abort()
    }, drain_ms * kindly)
    const closed = closeAll(force.signal)
    const isInTime = await settled(drain_ms, closed)
    const clean = isInTime && (await closed)
    clearTimeout(forcing)
    if (!isInTime)
      log.error(
        { waiting_for: closing, not_closed: open.map(({ name }) => name), took_ms },
        'Closing took too long',
      )
    else log.info({ took_ms }, 'Closed')
    host.exit(clean ? exit_code : exit_code || 1)
  }
  const stop = (reason: string, code = 0): Promise<void> => {
    if (!ended || isNotice) exit_code = Math.max(exit_code, code)
    cutShort.abort()
    return (ended ??= end(reason, 0))
  }

  const stray = (kind: string) => (err: unknown) => {
    log.fatal({ err }, kind)
    void stop(kind, 1)
  }

  return {
    defer(name, close) {
      open.push({ name, close })
      stopping.signal.throwIfAborted()
    },
    onLeaving: (notify) => void leaving.push(notify),
    stop,
    async run(start) {
      for (const [signal, number] of Object.entries(signalNumbers))
        host.on(signal, () => {
          if (!ended) return void (ended = end(signal, signal === 'SIGTERM' ? notice_ms : 0))
          log.warn({ signal }, 'Asked a second time: ending at once')
          host.exit(128 + number)
        })
      host.on('unhandledRejection', stray('A promise was rejected and not handled'))
      host.on('uncaughtException', stray('An error was thrown and not caught'))
      const started = start?.(stopping.signal)
      starting = Promise.resolve(started).then(
        () => undefined,
        () => undefined,
      )
      try {
        await started
        isUp = true
      } catch (err) {
        if (stopping.signal.aborted) log.debug({ err }, 'The start was given up')
        else on_failed_start(err)
        await stop('the start failed', 1)
      }
    },
  }
}
