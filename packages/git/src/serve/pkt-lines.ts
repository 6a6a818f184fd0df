/** The text of a pkt-line, or the packet that ends a section (`flush`) or divides it (`delim`). */
export type PktLine = string | typeof flush | typeof delim

export const flush = Symbol('flush')
export const delim = Symbol('delim')

export const pktLine = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text

/** The lines of a whole request, each without its newline; null when it is anything else (gitprotocol-common). */
export function parsePktLines(body: Buffer): PktLine[] | null {
  const lines: PktLine[] = []
  let at = 0
  while (at < body.length) {
    const digits = body.toString('latin1', at, at + 4)
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1
    if (length === 0 || length === 1) lines.push(length === 0 ? flush : delim)
    else if (length < 4 || at + length > body.length) return null
    else lines.push(body.toString('latin1', at + 4, at + length).replace(/\n$/, ''))
    at += Math.max(length, 4)
  }
  return lines
}
