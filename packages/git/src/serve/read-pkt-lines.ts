import { delim, flush } from './pkt-lines.ts'

/** A line of a stream, or the packet that ends a section or divides it. */
type Packet = Buffer | typeof flush | typeof delim

/** A stream that holds anything else than pkt-lines. */
export class NoPktLines extends Error {
  override readonly name = 'NoPktLines'
}

/** The packets of a stream as they come (gitprotocol-common); throws a NoPktLines where it is anything else, or ends in a packet. */
export async function* readPktLines(stream: AsyncIterable<unknown>): AsyncGenerator<Packet> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('A stream of pkt-lines is one of bytes')
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    let at = 0
    while (rest.length - at >= 4) {
      const digits = rest.toString('latin1', at, at + 4)
      const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1
      if (length !== 0 && length !== 1 && length < 4) throw new NoPktLines('This is no pkt-line')
      if (rest.length - at < length) break
      if (length < 4) yield length === 0 ? flush : delim
      else yield rest.subarray(at + 4, at + length)
      at += Math.max(length, 4)
    }
    rest = rest.subarray(at)
  }
  if (rest.length > 0) throw new NoPktLines('The stream ends in the middle of a pkt-line')
}
