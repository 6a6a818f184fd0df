/** Replaces `[from, to)` of a text. */
export interface Splice {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Applies splices that do not overlap; inserted lines end as the text's own lines do. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  let result = text
  for (const { from, to, text: inserted } of [...splices].sort((a, b) => b.from - a.from)) {
    result = result.slice(0, from) + inserted.replaceAll('\n', eol) + result.slice(to)
  }
  return result
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** The start of the line after the one that a value ends on; a value that ends with its line break is there already. */
export function nextLine(text: string, end: number): number {
  if (end > 0 && text[end - 1] === '\n') return end
  const found = text.indexOf('\n', end)
  return found === -1 ? text.length : found + 1
}

/** Whole lines put at `offset`, which is a line start or the end of a text without a last line break. */
export function linesAt(text: string, offset: number, lines: string): Splice {
  const unfinished = offset > 0 && text[offset - 1] !== '\n'
  return { from: offset, to: offset, text: (unfinished ? '\n' : '') + lines }
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}
