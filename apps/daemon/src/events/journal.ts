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

/** The end of the story that is kept: so many events, of so many characters in all. */
export interface JournalRoom {
  readonly events: number
  readonly chars: number
}

export function createJournal(epoch: string, room: JournalRoom): Journal {
  let events: JournalEvent[] = []
  let sizes: number[] = []
  let chars = 0
  let head = 0
  const followers = new Set<(event: JournalEvent) => void>()
  /** To half of what set it off, so that it is not done for each event; the newest is always kept. */
  function shorten(): void {
    let from = events.length - 1
    for (chars = sizes[from] ?? 0; from > 0 && events.length - from < room.events; from -= 1) {
      const more = sizes[from - 1] ?? 0
      if (chars + more > room.chars) break
      chars += more
    }
    events = events.slice(from)
    sizes = sizes.slice(from)
  }

  return {
    epoch,
    get head_seq() {
      return head
    },
    add: (event) => {
      head += 1
      const numbered = { seq: head, ...event }
      const size = JSON.stringify(event.payload).length
      events.push(numbered)
      sizes.push(size)
      chars += size
      if (events.length > room.events * 2 || chars > room.chars * 2) shorten()
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
