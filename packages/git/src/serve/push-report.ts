import { parsePktLines } from './pkt-lines.ts'

/** The outcome of each ref of a push (gitprotocol-pack, report-status). */
export interface PushReport {
  readonly moved: readonly string[]
  /** The refused refs with git's own reason: `hook declined` is the push policy. */
  readonly refused: readonly { readonly ref: string; readonly reason: string }[]
}

const data = '\x01'

/** Reads receive-pack's whole answer; null when it holds no report. Progress of the side band tells nothing here. */
export function readPushReport(answer: Buffer): PushReport | null {
  const packets = (parsePktLines(answer) ?? []).filter((line) => typeof line === 'string')
  const banded = packets.some((line) => line.startsWith(data))
  const inside = packets.filter((line) => line.startsWith(data)).map((line) => line.slice(1))
  const lines = banded ? parsePktLines(Buffer.from(inside.join(''), 'latin1')) : packets
  const said = (lines ?? [])
    .filter((line) => typeof line === 'string')
    .map((line) => Buffer.from(line, 'latin1').toString('utf8'))
  if (!said.some((line) => line.startsWith('unpack '))) return null
  const moved = said.filter((line) => line.startsWith('ok ')).map((line) => line.slice('ok '.length))
  const refused = said.flatMap((line) => {
    const [, ref, reason = ''] = /^ng (\S+) ?(.*)$/.exec(line) ?? []
    return ref === undefined ? [] : [{ ref, reason }]
  })
  return { moved, refused }
}

const maxReport = 256 * 1024

/** Keeps the output until it is longer than any report of a person's push. */
export function pushReportCollector() {
  const chunks: Buffer[] = []
  let size = 0
  return {
    add(chunk: Buffer) {
      size += chunk.length
      if (size <= maxReport) chunks.push(chunk)
    },
    read: (): PushReport | null => (size > maxReport ? null : readPushReport(Buffer.concat(chunks))),
  }
}
