import type { Finding, Path, Place } from '../issue.ts'
import { manifestLimits } from '../limits.ts'

/** A text read into plain data, with the errors of the reading and the way back from a path to its place. */
export interface Source {
  /** undefined when the text could not be read at all */
  readonly data: unknown
  readonly findings: readonly Finding[]
  readonly locate: (path: Path) => Place | undefined
  /** YAML tokens read, a measure of the work that the text was */
  readonly tokens?: number
}

export const startOfText: Place = { line: 1, column: 1 }

export function unreadable(findings: readonly Finding[]): Source {
  return { data: undefined, findings, locate: () => startOfText }
}

/** Length first: a text beyond the limit in characters is beyond it in bytes, without encoding it to see. */
export function isTooLarge(text: string): boolean {
  return text.length > manifestLimits.bytes || new TextEncoder().encode(text).length > manifestLimits.bytes
}

export const tooLargeMessage = 'the file is larger than 1 MiB'

const byteOrderMark = '\ufeff'

export function withoutByteOrderMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text
}

/** Text that PostgreSQL or JSON could not carry unchanged. */
export function unstorable(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character'
  if (/[\ud800-\udfff]/u.test(text)) return 'must be valid Unicode; it holds half of a surrogate pair'
  return undefined
}
