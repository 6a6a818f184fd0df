import { settled } from '@svc/timing'
import type { Log } from '../log.ts'
import { backoffMs, pause } from '../shared/backoff.ts'
import type { RuntimeEvent } from '../runtimes/runtime.ts'
import { type PlatformApi, PlatformError, type TurnReport } from './platform-api.ts'
import type { SpoolFile } from './spool-file.ts'

export type OutboxEntry =
  | { readonly kind: 'event'; readonly event: RuntimeEvent }
  | { readonly kind: 'report'; readonly report: TurnReport }
  | { readonly kind: 'question'; readonly request_id: string; readonly questions: unknown[] }
  | {
      readonly kind: 'permission'
      readonly request_id: string
      readonly permission: string
      readonly patterns: string[]
    }

/** `lasting` entries are on disk; a passing one (a delta, a lease release) is dropped rather than sent late. */
interface Queued {
  readonly entry: OutboxEntry
  readonly lasting: boolean
  readonly stillTrue: () => boolean
  readonly bytes: number
}

export interface OutboxLimits {
  readonly outboxEntries: number
  readonly outboxBytes: number
  readonly eventsPerReport: number
  readonly bytesPerReport: number
}

const lingerMs = 25

/**
 * Everything the platform is told about the session, in order, each thing until it was heard. Only events that follow
 * one another share a request.
 */
export class Outbox {
  readonly #api: PlatformApi
  readonly #spool: SpoolFile
  readonly #log: Log
  readonly #limits: OutboxLimits
  readonly #stop = new AbortController()
  #queue: Queued[] = []
  #bytes = 0
  #running: Promise<void> | null = null
  #failures = 0
  #force = new AbortController()
  #oneByOne = false

  constructor(parts: { api: PlatformApi; spool: SpoolFile; log: Log; limits: OutboxLimits }) {
    this.#api = parts.api
    this.#spool = parts.spool
    this.#log = parts.log
    this.#limits = parts.limits
  }

  /** Takes up the entries that an earlier process could not deliver. `parse` gives null for one that is none. */
  resume(parse: (value: unknown) => OutboxEntry | null): void {
    const loaded = this.#spool.load()
    for (const value of loaded) {
      const entry = parse(value)
      // An unreadable line keeps its place in the file, so that the file's count stays right.
      this.#push(entry ?? { kind: 'event', event: unreadable }, true, () => entry !== null)
    }
    this.#wake()
  }

  add(entry: OutboxEntry): void {
    this.#spool.append(entry)
    this.#push(entry, true, () => true)
    this.#wake()
  }

  /** Adds a report that is worth nothing later: sent in its place while `stillTrue`, never kept. */
  addPassing(entry: OutboxEntry, stillTrue: () => boolean = () => true): void {
    if (this.#failures > 0) return
    this.#push(entry, false, stillTrue)
    this.#wake()
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** Tries again at once, after whatever failure, and waits until all is delivered, or `ms` are over. */
  async flush(ms: number): Promise<void> {
    this.#force.abort()
    if (this.#running !== null) await settled(ms, this.#running, this.#stop.signal)
  }

  /** Waits until all is delivered or `ms` are over, then stops; the rest stays in the file. */
  async close(ms: number): Promise<void> {
    this.#failures = 0
    await this.flush(ms)
    this.#stop.abort()
    await this.#running
  }

  #push(entry: OutboxEntry, lasting: boolean, stillTrue: () => boolean): void {
    const bytes = JSON.stringify(entry).length
    this.#bytes += bytes
    this.#queue.push({ entry, lasting, stillTrue, bytes })
  }

  #wake(): void {
    if (this.#running || this.#stop.signal.aborted) return
    this.#running = this.#drain().finally(() => {
      this.#running = null
      if (this.#queue.length > 0) this.#wake()
    })
  }

  async #drain(): Promise<void> {
    await pause(lingerMs, this.#stop.signal)
    while (this.#queue.length > 0 && !this.#stop.signal.aborted) {
      const batch = this.#nextBatch()
      try {
        if (batch.some((item) => item.stillTrue())) await this.#send(batch)
        this.#failures = 0
        if (batch.length === 1) this.#oneByOne = false
        this.#remove(batch.length)
      } catch (error) {
        await this.#failed(batch, error)
      }
    }
  }

  #nextBatch(): Queued[] {
    const max = this.#oneByOne ? 1 : this.#limits.eventsPerReport
    const batch: Queued[] = []
    let bytes = 0
    for (const item of this.#queue) {
      if (batch.length > 0 && (item.entry.kind !== 'event' || batch.length >= max)) break
      if (batch.length > 0 && bytes + item.bytes > this.#limits.bytesPerReport) break
      batch.push(item)
      bytes += item.bytes
      if (item.entry.kind !== 'event') break
    }
    return batch
  }

  async #send(batch: Queued[]): Promise<void> {
    const first = batch[0]?.entry
    switch (first?.kind) {
      case undefined:
        return
      case 'event': {
        const events = batch
          .filter((item) => item.stillTrue())
          .flatMap(({ entry }) => (entry.kind === 'event' ? [entry.event] : []))
        await this.#api.report({ kind: 'events', events })
        return
      }
      case 'report':
        await this.#api.report(first.report)
        return
      case 'question':
        return this.#api.question({ request_id: first.request_id, questions: first.questions })
      case 'permission': {
        const { request_id, permission, patterns } = first
        return this.#api.permission({ request_id, permission, patterns })
      }
    }
  }

  async #failed(batch: Queued[], error: unknown): Promise<void> {
    const known = error instanceof PlatformError ? error : null
    if (known?.permanent) {
      if (batch.length > 1) {
        this.#oneByOne = true
        return
      }
      this.#log.warn('the platform refuses a report, which is dropped', { kind: batch[0]?.entry.kind, error })
      this.#oneByOne = false
      this.#remove(1)
      return
    }
    this.#failures += 1
    if (this.#failures === 1) this.#log.warn('the platform cannot be reached, reports wait', { error })
    this.#queue = this.#queue.filter((item) => item.lasting || this.#forget(item))
    this.#trim()
    this.#force = new AbortController()
    const signal = AbortSignal.any([this.#stop.signal, this.#force.signal])
    await pause(known?.retry_after_ms ?? backoffMs(this.#failures - 1), signal)
  }

  #remove(count: number): void {
    const gone = this.#queue.splice(0, count)
    for (const item of gone) this.#forget(item)
    this.#spool.drop(gone.filter((item) => item.lasting).length)
  }

  #forget(item: Queued): false {
    this.#bytes -= item.bytes
    return false
  }

  /** In a long outage the oldest go first; only between two sends, when nothing at the head is on its way. */
  #trim(): void {
    let count = 0
    let bytes = this.#bytes
    const { outboxEntries, outboxBytes } = this.#limits
    while (this.#queue.length - count > outboxEntries || bytes > outboxBytes) {
      const item = this.#queue[count]
      if (!item) break
      bytes -= item.bytes
      count += 1
    }
    if (count > 0) this.#remove(count)
  }
}

const unreadable: RuntimeEvent = { event_id: 'unreadable', type: 'error', at: '', payload: {} }
