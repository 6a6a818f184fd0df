import { plain } from '../../output/plain.ts'

const widest = 100

/**
 * A line of a file, made safe to print, and the space that puts a caret under its column (counted from 1). Of a long
 * line only the part around the column is shown.
 */
export function sourceLine(
  text: string,
  line: number,
  column: number,
): { readonly text: string; readonly margin: string } | undefined {
  const lines = text.replace(/^\ufeff/, '').split('\n')
  const whole = lines[line - 1]?.replace(/\r$/, '')
  if (whole === undefined) return undefined
  const at = Math.min(column - 1, whole.length)
  const from = whole.length > widest ? Math.max(0, Math.min(at - widest / 2, whole.length - widest)) : 0
  const cutBefore = from > 0 ? '…' : ''
  const cutAfter = from + widest < whole.length ? '…' : ''
  const shown = plain(whole.slice(from, from + widest))
  const before = cutBefore + plain(whole.slice(from, at))
  return { text: `${cutBefore}${shown}${cutAfter}`, margin: blank(before) }
}

/** Blanks as wide as the text: a tab stays a tab, and letters that take two cells are two spaces. */
function blank(text: string): string {
  return [...text].map((letter) => (letter === '\t' ? '\t' : wide.test(letter) ? '  ' : ' ')).join('')
}

const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]$|^\p{Emoji_Presentation}$/u
