import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { eventSealing, OpenEvent, SessionEventRow } from '@svc/db'

const zip = promisify(gzip)
const unzip = promisify(gunzip)

/** One event, one line. The payload stays as PostgreSQL wrote it, so that it is read back with its keys in the same order. */
export function eventLine({ seq, type, at, payload, event_id, stored_at }: eventSealing.StoredEvent): string {
  const head = JSON.stringify({ seq, type, at, event_id, stored_at })
  return `${head.slice(0, -1)},"payload":${payload}}\n`
}

/** The lines of a piece as they are stored. The same lines are the same bytes at every time. */
export async function packLines(lines: readonly string[]): Promise<{ data: Buffer; sha256: string }> {
  const data = await zip(lines.join(''))
  return { data, sha256: sha256Of(data) }
}

export const sha256Of = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** Lines of a piece, from the given one on. */
export async function unpackLines(data: Uint8Array, skip = 0): Promise<string[]> {
  const lines = (await unzip(data)).toString('utf8').split('\n')
  return lines.slice(skip, -1)
}

type Line = OpenEvent

/** The row that a line was made of. */
export function rowOf(session_id: string, line: string): SessionEventRow {
  // A line is what `eventLine` wrote: the hash of its piece was compared.
  const { seq, type, at, payload, event_id, stored_at } = JSON.parse(line) as Line
  return { session_id, seq, type, at: new Date(at), payload, event_id, stored_at: new Date(stored_at) }
}
