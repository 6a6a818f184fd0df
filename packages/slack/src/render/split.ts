/** A mark of Slack, an escaped sign or one character: none of them is cut. */
const unit = /<[^<>\n]*>|&(?:amp|lt|gt);|[\s\S]/gu

/** Pieces of at most `max` characters, cut between lines where it can be, else between words. */
export function pieces(text: string, max: number): string[] {
  const found: string[] = []
  let rest = text
  while (rest.length > max) {
    const end = endOf(rest, max)
    found.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).replace(/^\n+/, '')
  }
  return [...found, rest].filter((piece) => piece.trim() !== '')
}

/** The beginning of a text, with a sign that there is more. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, endOf(text, max - 1)).trimEnd()}…`
}

function endOf(text: string, max: number): number {
  let [end, line, word] = [0, 0, 0]
  for (const [part] of text.matchAll(unit)) {
    if (end + part.length > max) break
    end += part.length
    if (part === '\n') line = end
    if (part === ' ') word = end
  }
  // Far from the end, a line or a word would waste the piece.
  return [line, word].find((place) => place > end / 2) ?? (end || max)
}
