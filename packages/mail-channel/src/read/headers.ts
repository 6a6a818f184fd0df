import type { HeaderLines } from 'mailparser'

/** The headers of a mail by their names, each as often as it stands there, from the top. */
export interface MailHeaders {
  all(name: string): readonly string[]
  first(name: string): string | null
  /** Without comments, in small letters. */
  word(name: string): string | null
}

export function headersOf(lines: HeaderLines): MailHeaders {
  const all = (name: string) =>
    lines.filter(({ key }) => key === name).map(({ line }) => unfolded(line.slice(line.indexOf(':') + 1)))
  const first = (name: string) => all(name)[0] ?? null
  return {
    all,
    first,
    word: (name) => {
      const value = first(name)
      return value === null ? null : withoutComments(value).trim().toLowerCase()
    },
  }
}

const unfolded = (value: string) => value.replaceAll(/\r?\n(?=[ \t])/g, '').trim()

/** A header without what stands in parentheses; quoted texts stay as they are. */
export function withoutComments(value: string): string {
  let [kept, depth, quoted] = ['', 0, false]
  for (let at = 0; at < value.length; at += 1) {
    const sign = value[at] ?? ''
    if (sign === '\\') {
      if (depth === 0) kept += sign + (value[at + 1] ?? '')
      at += 1
    } else if (sign === '"' && depth === 0) {
      quoted = !quoted
      kept += sign
    } else if (!quoted && sign === '(') depth += 1
    else if (!quoted && sign === ')' && depth > 0) depth -= 1
    else if (depth === 0) kept += sign
  }
  return kept
}
