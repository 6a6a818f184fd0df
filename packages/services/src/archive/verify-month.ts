import { eventSealing } from '@svc/db'
import { readObject } from '@svc/objects'
import { sha256Of, unpackLines, rowOf } from './piece-format.ts'
import type { SealContext } from './seal-month.ts'

const pagePieces = 200
const maxReadBytes = 8 * 1024 * 1024

/** Reads every piece of a month back out of its object: its hash, its events and their numbers have to be the packed ones. */
export async function verifyMonth(ctx: SealContext, month: string, signal: AbortSignal): Promise<void> {
  let after = { object_key: '', offset: -1 }
  for (;;) {
    signal.throwIfAborted()
    const drafts = await eventSealing.listDrafts(ctx.db, month, after, pagePieces)
    for (const run of runsOf(drafts)) await verifyRun(ctx, run)
    const last = drafts.at(-1)
    if (last === undefined || drafts.length < pagePieces) return
    after = last
  }
}

/** Pieces that stand beside each other in one object are read at once. */
function runsOf(drafts: readonly eventSealing.DraftPiece[]): eventSealing.DraftPiece[][] {
  const runs: eventSealing.DraftPiece[][] = []
  let bytes = 0
  for (const draft of drafts) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    bytes += draft.length
    if (run && before?.object_key === draft.object_key && bytes <= maxReadBytes) run.push(draft)
    else {
      runs.push([draft])
      bytes = draft.length
    }
  }
  return runs
}

async function verifyRun({ objects }: SealContext, run: readonly eventSealing.DraftPiece[]): Promise<void> {
  const [first] = run
  const last = run.at(-1)
  if (first === undefined || last === undefined) return
  const { object_key } = first
  const length = last.offset + last.length - first.offset
  const data = await readObject(objects, object_key, { offset: first.offset, length })
  if (data === null) throw new Error(`The object ${object_key} is not there`)
  for (const piece of run) {
    const at = piece.offset - first.offset
    const own = data.subarray(at, at + piece.length)
    const refuse = (why: string) => {
      throw new Error(`The object ${object_key} is not what was stored: ${why} at ${piece.offset}`)
    }
    if (sha256Of(own) !== piece.sha256) refuse('another hash')
    const lines = await unpackLines(own)
    if (lines.length !== piece.last_seq - piece.first_seq + 1) refuse('another number of events')
    const ends = [lines[0], lines.at(-1)].map((line) => rowOf(piece.session_id, line ?? 'null').seq)
    if (ends[0] !== piece.first_seq || ends[1] !== piece.last_seq) refuse('other events')
  }
}
