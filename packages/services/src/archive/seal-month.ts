import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BaseContext } from '@svc/context'
import { eventArchives, archiveObjects, eventSealing, type OpenEvent } from '@svc/db'
import { packSessions, type PackedPiece } from './pack-session.ts'

export type SealContext = Pick<BaseContext, 'db' | 'objects' | 'now' | 'log'>

const maxObjectBytes = 64 * 1024 * 1024
const maxObjectPieces = 20_000
const pageRows = 500
const draftRows = 1_000

/** Packs the events of a month into objects, each under the name of its hash, and keeps their pieces as drafts. */
export async function packMonth(ctx: SealContext, month: string, signal: AbortSignal): Promise<void> {
  const open = new Map<string, readonly OpenEvent[]>()
  const pieces = packSessions(
    storedEvents(ctx, month, open, signal),
    (session_id) => open.get(session_id) ?? [],
  )
  const folder = await mkdtemp(join(tmpdir(), 'svc-events-'))
  try {
    let object: Spool | null = null
    for await (const piece of pieces) {
      if (object !== null && !object.takes(piece)) {
        await object.store(ctx, month)
        object = null
      }
      object ??= await Spool.open(join(folder, 'object'))
      await object.add(piece)
    }
    await object?.store(ctx, month)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** All events of a month, a page at a time; `open` is filled with what was open in the months before it. */
async function* storedEvents(
  { db }: SealContext,
  month: string,
  open: Map<string, readonly OpenEvent[]>,
  signal: AbortSignal,
): AsyncGenerator<eventSealing.StoredEvent> {
  let after = eventSealing.beforeAll
  for (;;) {
    signal.throwIfAborted()
    const rows = await eventSealing.listStored(db, month, { after, limit: pageRows })
    const session_ids = new Set(rows.map(({ session_id }) => session_id))
    const found = await eventArchives.openOf(db, [...session_ids])
    open.clear()
    for (const [session_id, events] of found) open.set(session_id, events)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageRows) return
    after = last
  }
}

/** An object on its way: in a file, since its name is the hash of all that it is. */
class Spool {
  readonly #path: string
  readonly #file: FileHandle
  readonly #hash: Hash = createHash('sha256')
  readonly #pieces: (Omit<PackedPiece, 'data'> & { readonly offset: number; readonly length: number })[] = []
  #bytes = 0

  static async open(path: string): Promise<Spool> {
    return new Spool(path, await open(path, 'w'))
  }

  private constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }

  takes({ data }: PackedPiece): boolean {
    return this.#bytes + data.length <= maxObjectBytes && this.#pieces.length < maxObjectPieces
  }

  async add({ data, ...piece }: PackedPiece): Promise<void> {
    this.#pieces.push({ ...piece, offset: this.#bytes, length: data.length })
    this.#bytes += data.length
    this.#hash.update(data)
    await this.#file.appendFile(data)
  }

  async store({ db, objects, now }: SealContext, month: string): Promise<void> {
    await this.#file.close()
    const object_key = `events/${this.#hash.digest('hex')}`
    await archiveObjects.announce(db, { object_key, bytes: this.#bytes, now: now() })
    await objects.put(object_key, createReadStream(this.#path))
    for (let at = 0; at < this.#pieces.length; at += draftRows) {
      const some = this.#pieces.slice(at, at + draftRows)
      await eventSealing.addDrafts(
        db,
        some.map((piece) => ({
          ...piece,
          object_key,
          partition: month,
          open_events: [...piece.open_events],
        })),
      )
    }
  }
}
