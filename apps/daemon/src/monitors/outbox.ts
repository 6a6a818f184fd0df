import { existsSync, readFileSync } from 'node:fs'
import { monitorHost } from '@svc/contract/sandbox'
import { z } from 'zod'
import { writeFileAtomically } from '../shared/write-file.ts'

export type MonitorEntry = z.infer<typeof monitorHost.MonitorEntry>

const Stored = z.object({
  epoch: z.uuid(),
  seq: z.int().min(0),
  entries: z.array(monitorHost.MonitorEntry),
  running: z.boolean(),
})

/** Enough for one hand-over; a command that says more waits. */
const maxEntries = 64
const saveCountsMs = 1_000

/**
 * The entries of a monitor that the platform has not taken over yet, numbered, on disk before they are offered. The
 * platform says how far it has come, and another sandbox goes on from there.
 */
export class MonitorOutbox {
  readonly #path: string
  readonly #changed: () => void
  #state: z.infer<typeof Stored>
  #savedAt = 0
  #room: (() => void)[] = []

  constructor(path: string, epoch: string, changed: () => void) {
    this.#path = path
    this.#changed = changed
    this.#state = read(path, epoch) ?? { epoch, seq: 0, entries: [], running: false }
  }

  get epoch(): string {
    return this.#state.epoch
  }

  /** True when the command ran as this was last written: after a crash it was cut off. */
  get running(): boolean {
    return this.#state.running
  }

  get full(): boolean {
    return this.#state.entries.length >= maxEntries
  }

  /** True when an entry waits that is to be handed over at once; counts go along with it, or after a while. */
  get pressing(): boolean {
    return this.#state.entries.some(({ text }) => text !== null)
  }

  setRunning(running: boolean): void {
    if (this.#state.running === running) return
    this.#state.running = running
    this.#save()
  }

  add(text: string, lifecycle: MonitorEntry['lifecycle'], at: Date): void {
    const seq = (this.#state.seq += 1)
    this.#state.entries.push({ first_seq: seq, seq, at: at.toISOString(), text, lifecycle })
    this.#save()
    this.#changed()
  }

  /** Counts a line without keeping it. A crash loses less than a second of a count. */
  count(at: Date): void {
    const seq = (this.#state.seq += 1)
    const last = this.#state.entries.at(-1)
    if (last !== undefined && last.text === null) Object.assign(last, { seq, at: at.toISOString() })
    else this.#state.entries.push({ first_seq: seq, seq, at: at.toISOString(), text: null, lifecycle: null })
    if (Date.now() - this.#savedAt >= saveCountsMs) this.#save()
  }

  /** Everything up to `seq` is the platform's. */
  acknowledge(seq: number): void {
    const state = this.#state
    if (state.seq >= seq && (state.entries[0]?.first_seq ?? seq + 1) > seq) return
    state.seq = Math.max(state.seq, seq)
    state.entries = state.entries
      .filter((entry) => entry.seq > seq)
      .map((entry) => (entry.first_seq > seq ? entry : { ...entry, first_seq: seq + 1 }))
    this.#save()
    if (this.full) return
    for (const wake of this.#room.splice(0)) wake()
  }

  /** The oldest entries, at least one, up to so many bytes. */
  oldest(max_bytes: number): MonitorEntry[] {
    const taken: MonitorEntry[] = []
    let bytes = 0
    for (const entry of this.#state.entries) {
      bytes += Buffer.byteLength(JSON.stringify(entry))
      if (taken.length > 0 && bytes > max_bytes) break
      taken.push({ ...entry })
    }
    return taken
  }

  /** Resolves when there is room again, or when the signal fires. */
  async room(signal: AbortSignal): Promise<void> {
    if (!this.full || signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#room.push(done)
      signal.addEventListener('abort', done)
    })
  }

  #save(): void {
    this.#savedAt = Date.now()
    writeFileAtomically(this.#path, JSON.stringify(this.#state))
  }
}

/** Null when there is none of this epoch: what an earlier monitor of the same name said is not wanted any more. */
function read(path: string, epoch: string): z.infer<typeof Stored> | null {
  if (!existsSync(path)) return null
  try {
    const stored = Stored.parse(JSON.parse(readFileSync(path, 'utf8')))
    return stored.epoch === epoch ? stored : null
  } catch {
    // The monitor's own command may have written here: what cannot be read is as good as lost.
    return null
  }
}
