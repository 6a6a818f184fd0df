import type { BaseContext } from '@svc/context'
import { type ArchivedPiece, eventArchives, type SessionEventRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { readObject } from '@svc/objects'
import { rowOf, sha256Of, unpackLines } from './piece-format.ts'

export type LogContext = Pick<BaseContext, 'db' | 'objects' | 'log'>

const pageSize = 200
/** Seconds until a client may ask again for what is in the archive. */
const retryAfter = 30

export interface LogBatch {
  readonly events: readonly SessionEventRow[]
  /** False when there is nothing behind these. */
  readonly more: boolean
}

type LogStart = Omit<eventArchives.LogQuery, 'limit'>

/** The next events of a session's log, out of the archive or the table: the one cursor is `seq`. */
export async function nextEvents(ctx: LogContext, query: LogStart, limit = pageSize): Promise<LogBatch> {
  const { rows, piece } = await eventArchives.nextStep(ctx.db, { ...query, limit })
  if (rows.length > 0 || piece === null)
    return { events: rows, more: piece !== null || rows.length === limit }
  const found = await readPiece(ctx, piece, query.after)
  const { types } = query
  const events = types === undefined ? found : found.filter(({ type }) => types.includes(type))
  if (events.length > 0) return { events, more: true }
  return nextEvents(ctx, { ...query, after: piece.last_seq }, limit)
}

/** One page of a log: fewer events than `limit` only at its end. */
export async function readPage(
  ctx: LogContext,
  { session_id, after, limit }: eventArchives.LogQuery,
): Promise<readonly SessionEventRow[]> {
  const page: SessionEventRow[] = []
  for (;;) {
    const last = page.at(-1)?.seq ?? after
    const { events, more } = await nextEvents(ctx, { session_id, after: last }, limit - page.length)
    page.push(...events.slice(0, limit - page.length))
    if (page.length === limit || !more) return page
  }
}

/** The whole log, some events at a time. */
export async function* readLog(
  ctx: LogContext,
  query: Omit<LogStart, 'after'>,
): AsyncGenerator<SessionEventRow, void> {
  let after = 0
  for (let more = true; more;) {
    const batch = await nextEvents(ctx, { ...query, after })
    yield* batch.events
    after = batch.events.at(-1)?.seq ?? after
    more = batch.more
  }
}

/** Events of a piece behind the given one. Refuses with `archive_unavailable` when its object cannot be read as it was stored. */
export async function readPiece(
  ctx: Pick<LogContext, 'objects' | 'log'>,
  piece: ArchivedPiece,
  after: number,
): Promise<SessionEventRow[]> {
  const { session_id, first_seq, last_seq, object_key, offset, length } = piece
  try {
    const data = await readObject(ctx.objects, object_key, { offset, length })
    if (data === null) throw new Error('The object is not there')
    if (sha256Of(data) !== piece.sha256) throw new Error('The object is not what was stored')
    // A piece has no gap: the place of an event follows from its number.
    const lines = await unpackLines(data, Math.max(0, after + 1 - first_seq))
    return lines.map((line) => rowOf(session_id, line))
  } catch (error) {
    ctx.log.warn({ err: error, session_id, object_key }, 'archived events could not be read')
    throw new ServiceError(
      'archive_unavailable',
      `The events ${first_seq} to ${last_seq} of this session are in the archive, which cannot be read now; later ones can. Try again in ${retryAfter} s`,
      { retry_after: retryAfter },
      { cause: error },
    )
  }
}
