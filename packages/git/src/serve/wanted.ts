import { Readable } from 'node:stream'
import { ServiceError } from '@svc/errors'
import { delim, flush } from './pkt-lines.ts'
import { NoPktLines, readPktLines } from './read-pkt-lines.ts'

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
const maxHeld = 512

/** git takes ids in either case. */
const want = /^want ([0-9a-f]{40,64})/i

function wantIn(packet: Buffer): string | undefined {
  return want.exec(packet.toString('latin1', 0, 80))?.[1]?.toLowerCase()
}

/**
 * The objects that a request asks for, in every version of the protocol, as far as it can be read: git answers what stands
 * before a part that it cannot read.
 */
export async function wantedBy(body: Buffer): Promise<readonly string[]> {
  const ids: string[] = []
  try {
    for await (const packet of readPktLines(Readable.from([body]))) {
      const id = Buffer.isBuffer(packet) ? wantIn(packet) : undefined
      if (id !== undefined) ids.push(id)
    }
  } catch (error) {
    if (!(error instanceof NoPktLines)) throw error
  }
  return ids
}

/** A long request as it comes. git answers at the end of a section, which it gets once the wants were looked at. */
export async function* gatedWants(body: Readable, check: CheckWants): AsyncGenerator<Buffer> {
  try {
    yield* gated(body, check)
  } catch (error) {
    if (!(error instanceof NoPktLines)) throw error
    throw new ServiceError(
      'invalid_request',
      'git could not read this request; send it with a git client',
      undefined,
      { cause: error },
    )
  }
}

async function* gated(body: Readable, check: CheckWants): AsyncGenerator<Buffer> {
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
      const id = wantIn(packet)
      if (id !== undefined) asked.push(id)
      held.push(Buffer.from((packet.length + 4).toString(16).padStart(4, '0')), packet)
    }
    if (packet === flush || held.length > maxHeld) yield take()
  }
  if (asked.length > 0) await check(asked)
  yield take()
}
