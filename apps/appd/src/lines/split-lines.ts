const newline = 0x0a

/** Takes the bytes of one stream, in pieces of any length, and gives whole lines. */
export interface LineSplitter {
  push(chunk: Buffer): void
  /** Gives the last line, which may have had no end. */
  end(): void
}

/** Of a line that is longer than `maxBytes`, only that much is kept; `whole` then is false. */
export function splitLines(maxBytes: number, give: (line: Buffer, whole: boolean) => void): LineSplitter {
  let parts: Buffer[] = []
  let held = 0
  let whole = true

  const hold = (piece: Buffer): void => {
    const room = maxBytes - held
    if (piece.length > room) whole = false
    if (room <= 0 || piece.length === 0) return
    parts.push(piece.subarray(0, room))
    held += Math.min(room, piece.length)
  }
  const release = (): void => {
    const line = Buffer.concat(parts)
    give(line.at(-1) === 0x0d ? line.subarray(0, -1) : line, whole)
    parts = []
    held = 0
    whole = true
  }
  return {
    push: (chunk) => {
      let from = 0
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        hold(chunk.subarray(from, at))
        release()
        from = at + 1
      }
      // A copy: the rest of the chunk is not to be kept alive by a few bytes.
      hold(Buffer.from(chunk.subarray(from)))
    },
    end: () => {
      if (held > 0) release()
    },
  }
}
