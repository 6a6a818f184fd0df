import type { monitorHost } from '@svc/contract'
import {
  matchesFilter,
  monitorLimits,
  monitorPayload,
  type MonitorState,
  silenceAt,
  spendRestart,
} from '@svc/trigger'
import type { z } from 'zod'
import { type Log, messageOf } from '../log.ts'
import { pause } from '../shared/backoff.ts'
import { type RunningCommand, startCommand } from './command.ts'
import type { MonitorOutbox } from './outbox.ts'
import { readLines } from './read-lines.ts'

export type MonitorSpec = z.infer<typeof monitorHost.MonitorSpec>

export interface MonitorParts {
  readonly outbox: MonitorOutbox
  readonly workspace: string
  readonly environment: () => Readonly<Record<string, string>>
  /** Tells this sandbox's processes from those of any other on the machine. */
  readonly owner: string
  readonly log: Log
}

const maxTimerMs = 2 ** 31 - 1
const stuckMs = 1_000

/** One monitor: its command, run as its entry says, and what it says in its outbox. */
export class Monitor {
  readonly #parts: MonitorParts
  readonly #stop = new AbortController()
  #spec: MonitorSpec
  #phase: 'running' | 'restarting' | 'exhausted' = 'running'
  #lastSignAt = Date.now()
  #silent = false
  #silence: NodeJS.Timeout | undefined
  #quietUntil = 0
  #progressAt = 0
  #loop: Promise<void> = Promise.resolve()
  lastLineAt: Date | null = null
  lastExit: string | null = null

  constructor(spec: MonitorSpec, parts: MonitorParts) {
    this.#spec = spec
    this.#parts = parts
  }

  get spec(): MonitorSpec {
    return this.#spec
  }

  get outbox(): MonitorOutbox {
    return this.#parts.outbox
  }

  get state(): Exclude<MonitorState, 'starting' | 'paused'> {
    return this.#phase === 'running' && this.#silent ? 'silent' : this.#phase
  }

  start(): void {
    this.#expect()
    this.#loop = (this.#spec.mode === 'stream' ? this.#stream() : this.#poll()).catch((error: unknown) => {
      this.#parts.log.error('a monitor failed', { slug: this.#spec.slug, error })
      this.#phase = 'exhausted'
    })
  }

  /** Takes over settings that do not concern the command itself, and leaves it running. */
  adopt(spec: MonitorSpec): void {
    const expected = this.#spec.expect_within_ms
    this.#spec = spec
    if (expected === spec.expect_within_ms) return
    this.#lastSignAt = Date.now()
    this.#silent = false
    this.#expect()
  }

  /** Lines of the next `ms` are only counted. */
  quiet(ms: number): void {
    this.#quietUntil = performance.now() + ms
  }

  /** `cut`: the sandbox ends under it, and the next one says so. `unwanted`: the next one says nothing of it. */
  async close(how: 'cut' | 'unwanted'): Promise<void> {
    clearTimeout(this.#silence)
    this.#stop.abort()
    await this.#loop
    if (how === 'unwanted') this.outbox.setRunning(false)
  }

  async #stream(): Promise<void> {
    const { signal } = this.#stop
    if (this.outbox.running) this.#say('exit', 'The sandbox ended while the command ran')
    let restarts: readonly number[] = []
    while (!signal.aborted) {
      this.#phase = 'running'
      this.outbox.setRunning(true)
      const how = await this.#run()
      if (signal.aborted) return
      this.outbox.setRunning(false)
      this.#say('exit', `The command ended (${how})`)
      const first = this.#spec.restart_first_ms
      const limits = { ...monitorLimits, restart_first_ms: first, max_restart_ms: 60 * first }
      const verdict = spendRestart(restarts, Date.now(), limits)
      if (verdict.kind === 'exhausted') return this.#exhaust()
      this.#phase = 'restarting'
      restarts = verdict.restarts
      await pause(verdict.wait_ms, signal)
    }
  }

  #exhaust(): void {
    clearTimeout(this.#silence)
    this.#phase = 'exhausted'
    this.#say(
      'restart_budget_exhausted',
      `The command ended more than ${monitorLimits.restarts} times in ten minutes and is not started again`,
    )
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      const began = performance.now()
      await this.#run(monitorLimits.poll_run_ms)
      const interval = this.#spec.interval_ms ?? 0
      const passed = performance.now() - began
      // The next slot of the interval; a run that lasts longer leaves slots out.
      await pause(interval > 0 ? interval - (passed % interval) : 1_000, signal)
    }
  }

  /** One run of the command, with everything it said; how it ended. */
  async #run(max_ms?: number): Promise<string> {
    const { workspace, environment, owner, log } = this.#parts
    const signal = AbortSignal.any([
      this.#stop.signal,
      ...(max_ms === undefined ? [] : [AbortSignal.timeout(max_ms)]),
    ])
    const env = { ...environment(), ...this.#spec.environment }
    const command = startCommand({ run: this.#spec.run, cwd: workspace, env, owner })
    const reading = readLines(command.output, (line) => this.#onLine(line), this.#stop.signal)
    // It may be cut in the middle of a read; what it said until then was heard.
    reading.catch(() => undefined)
    const ended = new Promise<string>((resolve) => {
      if (signal.aborted) resolve('it was ended')
      else signal.addEventListener('abort', () => resolve('it was ended'), { once: true })
    })
    const how = log.redact(await Promise.race([command.exited, ended]))
    await command.end()
    await this.#rest(command, reading)
    this.lastExit = how
    return how
  }

  /** Reads the rest of the pipe, which still counts. A process that got away may hold it open, and is not waited for. */
  async #rest({ output }: RunningCommand, reading: Promise<void>): Promise<void> {
    this.#progressAt = performance.now()
    const look = setInterval(() => {
      const stuck = !this.outbox.full && performance.now() - this.#progressAt > stuckMs
      if (stuck || this.#stop.signal.aborted) output.destroy()
    }, stuckMs / 4)
    await reading.catch((error: unknown) => {
      if (!output.destroyed)
        this.#parts.log.warn('the output of a monitor was not read', { error: messageOf(error) })
    })
    clearInterval(look)
    output.destroy()
  }

  async #onLine(line: string): Promise<void> {
    const at = new Date()
    this.#progressAt = performance.now()
    this.lastLineAt = at
    const text = this.#parts.log.redact(line)
    const payload = monitorPayload({ slug: this.#spec.slug, seq: 0, emitted_at: at, text, lifecycle: null })
    if (!matchesFilter(this.#spec.filter, payload)) return
    this.#lastSignAt = at.getTime()
    this.#silent = false
    this.#expect()
    if (performance.now() < this.#quietUntil) return this.outbox.count(at)
    await this.outbox.room(this.#stop.signal)
    if (this.#stop.signal.aborted) return
    // The monitor may have become quiet while this line waited.
    if (performance.now() < this.#quietUntil) this.outbox.count(at)
    else this.outbox.add(text, null, at)
  }

  #say(lifecycle: NonNullable<Parameters<MonitorOutbox['add']>[1]>, text: string): void {
    this.outbox.add(text, lifecycle, new Date())
  }

  #expect(): void {
    clearTimeout(this.#silence)
    const { expect_within_ms } = this.#spec
    const at = silenceAt(this.#lastSignAt, expect_within_ms, this.#silent)
    if (at === null || this.#stop.signal.aborted || this.#phase === 'exhausted') return
    this.#silence = setTimeout(
      () => {
        if (Date.now() < at) return this.#expect()
        this.#silent = true
        this.#say('silence', `Nothing was said for ${Math.round((expect_within_ms ?? 0) / 1000)} s`)
      },
      Math.min(maxTimerMs, Math.max(0, at - Date.now())),
    )
  }
}
