import type { Readable } from 'node:stream'

/** A longer line is skipped to its end. */
export const maxLineBytes = 32 * 1024 * 1024

export type Line = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'too_long' }

/** The lines of a program's output, read only as fast as they are handled; a last one without an end is left out. */
export async function* readLines(input: Readable, max = maxLineBytes): AsyncGenerator<Line> {
  let held: Buffer[] = []
  let size = 0
  let skips = false
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let rest = chunk
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const piece = rest.subarray(0, end)
      rest = rest.subarray(end + 1)
      const isTooLong = skips || size + piece.length > max
      const text = isTooLong ? null : Buffer.concat([...held, piece]).toString('utf8')
      held = []
      size = 0
      skips = false
      yield text === null ? { kind: 'too_long' } : { kind: 'text', text }
    }
    if (skips || rest.length === 0) continue
    size += rest.length
    if (size > max) {
      held = []
      skips = true
    } else held.push(rest)
  }
}
