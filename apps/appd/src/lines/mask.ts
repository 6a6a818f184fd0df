/** Text with secret values in it, as far as `limit` characters of the original, each value as its `[NAME]`. */
export type Mask = (text: string, limit: number) => { readonly text: string; readonly cut: boolean }

/** The most characters beyond a limit that have to be there, so that a value at the limit is seen whole. */
export function maskReach(masked: Readonly<Record<string, string>>): number {
  return Math.max(0, ...Object.values(masked).map((value) => value.length))
}

/** A value of several lines is looked for whole, and line by line, since what is printed comes so. */
export function createMask(masked: Readonly<Record<string, string>>): Mask {
  const names = new Map<string, string>()
  for (const [name, value] of Object.entries(masked))
    for (const part of [value, ...linesOf(value)]) if (part !== '' && !names.has(part)) names.set(part, name)
  const parts = [...names.keys()].toSorted((a, b) => b.length - a.length)
  const pattern = parts.length === 0 ? null : new RegExp(parts.map(escaped).join('|'), 'g')
  return (text, limit) => {
    const shown: string[] = []
    let at = 0
    if (pattern !== null)
      for (const { 0: value, index } of text.matchAll(pattern)) {
        if (index >= limit) break
        shown.push(text.slice(at, index), `[${names.get(value) ?? ''}]`)
        at = index + value.length
      }
    if (at < limit) shown.push(text.slice(at, limit))
    return { text: shown.join(''), cut: text.length > Math.max(at, limit) }
  }
}

/** Lines that are as short as a bracket would hide all others of their kind. */
const shortest = 4

function linesOf(value: string): readonly string[] {
  const lines = value.split(/\r?\n/)
  return lines.length === 1 ? [] : lines.filter((line) => line.trim().length >= shortest)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
