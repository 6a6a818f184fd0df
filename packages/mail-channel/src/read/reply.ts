/** The line of ours above which an answer is written. */
export const marker = '-- reply above this line --'

export interface CutReply {
  /** The words of who wrote it. */
  readonly said: string
  /** The mails below, which they quote. */
  readonly quoted: string
}

/** Parts a mail at our line, else at the usual `On … wrote:`. */
export function cutReply(text: string): CutReply {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const marked = lines.findIndex((line) => withoutQuote(line).includes(marker))
  const at = marked >= 0 ? aboveAttribution(lines, marked) : firstAttribution(lines)
  const said = joined(lines.slice(0, at))
  const rest = lines.slice(at)
  if (said !== '' || at === lines.length) return { said, quoted: joined(rest) }
  // Written below the quotes, or between them.
  const start = rest.findIndex(isQuote)
  if (start < 0) return { said, quoted: joined(rest) }
  return {
    said: joined(rest.filter((line, index) => index > start && !isQuote(line))),
    quoted: joined(rest.filter((line, index) => index <= start || isQuote(line))),
  }
}

const joined = (lines: readonly string[]) => lines.join('\n').trim()
const withoutQuote = (line: string) => line.replace(/^[\s>|*_]+/, '')

const isQuote = (line: string) => /^\s*>/.test(line)
const separator =
  /^\s*(?:-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine)\s*-{2,}|_{10,})\s*$/i
const field =
  /^\s*\*?(?:from|sent|to|cc|date|subject|von|gesendet|an|datum|betreff|de|envoyé|à|objet)\s?:\*?\s/i
const verb = /(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev|napisał\S*)\b.{0,80}:\s*$/i

/** Lines that a mail program puts above what it quotes are no words of the writer. */
function aboveAttribution(lines: readonly string[], marked: number): number {
  let at = marked
  const above = () => lines[at - 1]
  const skip = (test: (line: string) => boolean) => {
    for (let line = above(); line !== undefined && test(line); line = above()) at -= 1
  }
  skip((line) => isQuote(line) || line.trim() === '')
  const named = attributionEndingAt(lines, at - 1)
  if (named !== null) return named
  const fields = at
  skip((line) => field.test(line) || separator.test(line) || line.trim() === '')
  return at < fields ? at : marked
}

/** Lines that are looked at more closely: a mail that a person writes has not so many that end so. */
const maxLooks = 500

function firstAttribution(lines: readonly string[]): number {
  const lastQuote = lines.findLastIndex(isQuote)
  let left = maxLooks
  for (const [index, line] of lines.entries()) {
    if (separator.test(line)) return index
    if (left === 0 || index > lastQuote || !line.trimEnd().endsWith(':')) continue
    left -= 1
    const begin = attributionEndingAt(lines, index)
    if (begin !== null) return begin
  }
  return lines.length
}

/** The first line of an `On … wrote:` of at most three lines which ends there; null where there is none. */
function attributionEndingAt(lines: readonly string[], last: number): number | null {
  for (let begin = last; begin > last - 3 && begin >= 0; begin -= 1) {
    const first = lines[begin] ?? ''
    if (first.trim() === '') return null
    const text = lines.slice(begin, last + 1).join(' ')
    if (text.length > 500 || !text.trimEnd().endsWith(':')) return null
    const begins = /^\s*(?:on|am|le|el|il|op|den|w dniu|dnia)\b/i.test(first)
    if (verb.test(text) && (begins || /\d{4}|@/.test(text)) && (begins || begin === last - 2)) return begin
  }
  return null
}
