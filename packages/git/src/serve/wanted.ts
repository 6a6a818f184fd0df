import type { Readable } from 'node:stream'
import { delim, flush, parsePktLines } from './pkt-lines.ts'
import { readPktLines } from './read-pkt-lines.ts'

/** A fetch of an object that its caller does not see. */
export class HiddenWant extends Error {
  override readonly name = 'HiddenWant'

  constructor(id: string) {
    super(`upload-pack: not our ref ${id}`)
  }
}

/** Throws a HiddenWant when one of these objects is not the caller's to see. */
export type CheckWants = (ids: readonly string[]) => Promise<void>

/** Pieces of a long request that are handed on at a time. */
const mostHeld = 512

const want = /^want ([0-9a-f]{40,64})/

/** The objects that a request asks for, in every version of the protocol; none where git cannot read it either. */
export function wantedBy(body: Buffer): readonly string[] {
  const lines = parsePktLines(body) ?? []
  return lines.flatMap((line) => (typeof line === 'string' ? (want.exec(line)?.[1] ?? []) : []))
}

/** A long request as it comes. git answers at the end of a section, which it gets once the wants were looked at. */
export async function* gatedWants(body: Readable, check: CheckWants): AsyncGenerator<Buffer> {
  let asked: string[] = []
  let held: Buffer[] = []
  const take = () => {
    const taken = Buffer.concat(held)
    held = []
    return taken
  }
  for await (const packet of readPktLines(body)) {
    if (packet === flush && asked.length > 0) {
      await check(asked)
      asked = []
    }
    if (packet === flush || packet === delim) held.push(Buffer.from(packet === flush ? '0000' : '0001'))
    else {
      const id = want.exec(packet.toString('latin1', 0, 80))?.[1]
      if (id !== undefined) asked.push(id)
      held.push(Buffer.from((packet.length + 4).toString(16).padStart(4, '0')), packet)
    }
    if (packet === flush || held.length > mostHeld) yield take()
  }
  if (asked.length > 0) await check(asked)
  yield take()
}
