import type { SessionEventType } from '@svc/contract'

/** An event as the runtime routes show it: numbered within this run of the daemon. */
export interface JournalEvent {
  readonly seq: number
  readonly type: SessionEventType
  readonly at: string
  readonly payload: Readonly<Record<string, unknown>>
}

export interface Journal {
  /** A new one for each run, since numbers start again. */
  readonly epoch: string
  readonly head_seq: number
  add(event: Omit<JournalEvent, 'seq'>): void
  /** Everything after `seq` that is still kept; null when something in between is gone, or was never there. */
  after(seq: number): readonly JournalEvent[] | null
  follow(onEvent: (event: JournalEvent) => void): () => void
}

export function createJournal(epoch: string, kept: number): Journal {
  let events: JournalEvent[] = []
  let head = 0
  const followers = new Set<(event: JournalEvent) => void>()
  return {
    epoch,
    get head_seq() {
      return head
    },
    add: (event) => {
      head += 1
      const numbered = { seq: head, ...event }
      events.push(numbered)
      if (events.length > kept * 2) events = events.slice(-kept)
      for (const notify of followers) notify(numbered)
    },
    after: (seq) => {
      if (seq > head) return null
      const oldest = events[0]?.seq ?? head + 1
      if (seq < oldest - 1) return null
      return events.filter((event) => event.seq > seq)
    },
    follow: (onEvent) => {
      followers.add(onEvent)
      return () => followers.delete(onEvent)
    },
  }
}

/** `epoch:seq`; a bare number is meant in this run. Null is a cursor of another run. */
export function readCursor(text: string, epoch: string): number | null {
  const [run, seq] = text.includes(':') ? text.split(':', 2) : [epoch, text]
  return run === epoch && seq !== undefined && /^\d{1,15}$/.test(seq) ? Number(seq) : null
}
