import { type Log, messageOf } from '../log.ts'
import { backoffMs, pause } from '../shared/backoff.ts'
import { step } from '../shared/steps.ts'
import { whenAborted } from '../shared/when-aborted.ts'
import { endFamily } from './process-family.ts'
import type { AgentRuntime, RunningRuntime } from './runtime.ts'
import type { StandbyRuntime } from './standby/standby.ts'

export type RuntimeState = 'starting' | 'ready' | 'restarting' | 'failed'

export interface SupervisorEvents {
  /** The process answers. Awaited: while it runs the state is not yet `ready`. The signal fires when the process ends. */
  onUp(running: RunningRuntime, gone: AbortSignal): Promise<void>
  /** The process is gone, by its own doing or ours. */
  onDown(): void
  /** The restart budget is spent. */
  onFailed(logTail: string): void
}

const lookMs = 30_000
const silentLooks = 4

/** Keeps one runtime process running: starts it, starts it again when it dies, and gives up when it dies too often. */
export class Supervisor {
  readonly #owner: string
  readonly #runtime: AgentRuntime
  readonly #events: SupervisorEvents
  readonly #environment: () => Record<string, string>
  readonly #limits: { readyMs: number; restarts: { count: number; windowMs: number } }
  readonly #log: Log
  readonly #stop = new AbortController()
  #standby: StandbyRuntime | null
  #restarts: number[] = []
  #running: RunningRuntime | null = null
  #wanted = new AbortController()
  #loop: Promise<void> | null = null
  state: RuntimeState = 'starting'
  error: string | null = null

  constructor(parts: {
    /** Tells this sandbox's processes from those of any other on the machine. */
    owner: string
    runtime: AgentRuntime
    /** The first process, where one was started before the session was known. */
    standby: StandbyRuntime | null
    events: SupervisorEvents
    environment: () => Record<string, string>
    limits: { readyMs: number; restarts: { count: number; windowMs: number } }
    log: Log
  }) {
    this.#owner = parts.owner
    this.#runtime = parts.runtime
    this.#standby = parts.standby
    this.#events = parts.events
    this.#environment = parts.environment
    this.#limits = parts.limits
    this.#log = parts.log
  }

  /** The process that answers now. */
  get running(): RunningRuntime | null {
    return this.state === 'ready' ? this.#running : null
  }

  start(): void {
    if (this.#loop || this.#stop.signal.aborted) return
    this.state = 'starting'
    this.error = null
    this.#restarts = []
    this.#loop = this.#keepRunning().finally(() => {
      this.#loop = null
    })
  }

  /** Ends the process and starts another, which costs nothing of the budget. */
  restart(): void {
    if (!this.#loop) return this.start()
    this.state = 'restarting'
    this.#wanted.abort()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    this.#wanted.abort()
    await this.#loop
    this.#standby?.end()
  }

  async #keepRunning(): Promise<void> {
    // A daemon that was killed could not end its runtime, which would hold the port.
    if (this.#standby === null) await endFamily(this.#owner)
    while (!this.#stop.signal.aborted) {
      this.#wanted = new AbortController()
      const words = await this.#runOnce(this.#wanted.signal).catch((error: unknown) => messageOf(error))
      this.#events.onDown()
      if (this.#stop.signal.aborted) return
      this.state = 'restarting'
      if (words === null) continue
      const now = Date.now()
      this.#restarts = this.#restarts.filter((at) => now - at < this.#limits.restarts.windowMs)
      this.error = this.#log.redact(words)
      this.#log.warn('the agent runtime ended', { words: this.error, restarts: this.#restarts.length })
      if (this.#restarts.length >= this.#limits.restarts.count) {
        this.state = 'failed'
        this.#events.onFailed(this.error)
        return
      }
      this.#restarts.push(now)
      await pause(backoffMs(this.#restarts.length - 1, 250, 15_000), this.#wanted.signal)
    }
  }

  /** Null when it was ended on purpose, else why it ended. */
  async #runOnce(wanted: AbortSignal): Promise<string | null> {
    step('runtime_asked')
    const running = await this.#start(wanted)
    if (running === null) return null
    this.#running = running
    const ended = whenAborted(wanted).then(() => null)
    const life = new AbortController()
    try {
      if (wanted.aborted) return null
      step('runtime_listens')
      const gone = Promise.race([running.exited, ended])
      const up = this.#events.onUp(running, life.signal).then(() => 'up' as const)
      up.catch(() => undefined)
      const first = await Promise.race([up, gone])
      if (first !== 'up') return first
      if (wanted.aborted) return null
      this.state = 'ready'
      this.error = null
      this.#log.info('the agent runtime is ready', { pid: running.pid })
      return await Promise.race([gone, this.#silence(running, life.signal)])
    } finally {
      life.abort()
      await running.stop()
      this.#running = null
    }
  }

  /** Null when it is not wanted any more. */
  async #start(signal: AbortSignal): Promise<RunningRuntime | null> {
    const standby = this.#standby
    const env = this.#environment()
    const timeoutMs = this.#limits.readyMs
    try {
      const running = await this.#runtime.start({ env, owner: this.#owner, standby, timeoutMs, signal })
      // A runtime that has no use for it leaves it as it is.
      standby?.end()
      this.#standby = null
      return running
    } catch (error) {
      if (signal.aborted) return null
      throw error
    }
  }

  /** A process may live and answer nothing any more. */
  async #silence({ client }: RunningRuntime, gone: AbortSignal): Promise<string | null> {
    for (let silent = 0; silent < silentLooks;) {
      await pause(lookMs, gone)
      if (gone.aborted) return null
      const well = await client.healthy().catch(() => false)
      silent = well ? 0 : silent + 1
    }
    return 'The agent runtime does not answer any more'
  }
}
