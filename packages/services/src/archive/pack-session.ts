import type { eventSealing, OpenEvent } from '@svc/db'
import { eventLine, packLines } from './piece-format.ts'

/** A piece of a session's log, packed. */
export interface PackedPiece {
  readonly session_id: string
  readonly first_seq: number
  readonly last_seq: number
  readonly data: Buffer
  readonly sha256: string
  readonly has_conversation: boolean
  readonly open_events: readonly OpenEvent[]
}

/** A longer log of a month is several pieces, so that a page of it is read in moderate memory. */
const maxPieceBytes = 1024 * 1024

/** Turns events, session by session and each in its order, into pieces without a gap. `openOf` says what was open before. */
export async function* packSessions(
  events: AsyncIterable<eventSealing.StoredEvent>,
  openBefore: (session_id: string) => readonly OpenEvent[],
): AsyncGenerator<PackedPiece> {
  let piece: Piece | null = null
  for await (const event of events) {
    if (piece !== null && !piece.takes(event)) {
      yield await piece.pack()
      piece = piece.next(event, openBefore)
    }
    piece ??= new Piece(event, openBefore(event.session_id))
    piece.add(event)
  }
  if (piece !== null) yield await piece.pack()
}

class Piece {
  readonly #session_id: string
  readonly #first_seq: number
  readonly #open: Map<string, OpenEvent>
  readonly #lines: string[] = []
  #last_seq: number
  #bytes = 0
  #has_conversation = false

  constructor({ session_id, seq }: eventSealing.StoredEvent, open: readonly OpenEvent[]) {
    this.#session_id = session_id
    this.#first_seq = seq
    this.#last_seq = seq - 1
    this.#open = new Map(open.map((event) => [subjectOf(event), event]))
  }

  takes({ session_id, seq }: eventSealing.StoredEvent): boolean {
    return session_id === this.#session_id && seq === this.#last_seq + 1 && this.#bytes < maxPieceBytes
  }

  add(event: eventSealing.StoredEvent): void {
    const line = eventLine(event)
    this.#lines.push(line)
    this.#bytes += line.length
    this.#last_seq = event.seq
    this.#has_conversation ||= event.type === 'message' || event.type === 'tool'
    if (marks.has(event.type)) this.#mark(event)
  }

  #mark(event: eventSealing.StoredEvent): void {
    const { seq, type, event_id } = event
    const payload = JSON.parse(event.payload) as OpenEvent['payload']
    const marked = {
      seq,
      type,
      at: event.at.toISOString(),
      event_id,
      stored_at: event.stored_at.toISOString(),
      payload,
    }
    const isOpen = payload['state'] === 'begin' || payload['state'] === 'asked'
    if (isOpen) this.#open.set(subjectOf(marked), marked)
    else this.#open.delete(subjectOf(marked))
  }

  /** The piece that begins with this event. */
  next(event: eventSealing.StoredEvent, openBefore: (session_id: string) => readonly OpenEvent[]): Piece {
    const isSame = event.session_id === this.#session_id
    return new Piece(event, isSame ? [...this.#open.values()] : openBefore(event.session_id))
  }

  async pack(): Promise<PackedPiece> {
    return {
      session_id: this.#session_id,
      first_seq: this.#first_seq,
      last_seq: this.#last_seq,
      has_conversation: this.#has_conversation,
      open_events: [...this.#open.values()],
      ...(await packLines(this.#lines)),
    }
  }
}

/** The types of events that begin something which another one ends. */
const marks = new Set(['turn', 'question', 'permission'])

function subjectOf({ type, payload }: Pick<OpenEvent, 'type' | 'payload'>): string {
  return `${type} ${String(payload['request_id'] ?? payload['prompt_id'])}`
}
