import { kindOf } from './raw.ts'

const maxCompared = 64
const namesCompared = 100
const namesListed = 12

/** The known name that differs from the written one by a slip of the finger, if there is one; `max` are compared. */
export function nearest(written: string, known: Iterable<string>, max = namesCompared): string | undefined {
  if (written.length > maxCompared) return undefined
  let best: { name: string; distance: number } | undefined
  let compared = 0
  const word = plain(written)
  for (const name of known) {
    // Of a name of one or two letters any other is a slip away.
    const slips = name.length < 3 ? 0 : Math.max(1, Math.floor(name.length / 3))
    const allowed = Math.min(slips, (best?.distance ?? Infinity) - 1)
    if (
      allowed < 0 ||
      name.length > maxCompared ||
      Math.abs(name.length - written.length) > allowed + separators
    )
      continue
    if (++compared > max) break
    const distance = editDistance(word, plain(name), allowed)
    if (distance <= allowed) best = { name, distance }
  }
  return best?.name
}

/** `; did you mean …?`, or nothing. */
export function didYouMean(written: string, known: Iterable<string>): string {
  const name = nearest(written, known)
  return name === undefined ? '' : `; did you mean ${quoted(name)}?`
}

/** `a`, `b` or `c`; of many names the first ones. */
export function choice(names: readonly (string | number)[]): string {
  const listed = names.slice(0, namesListed).map((name) => quoted(String(name)))
  const more = names.length - listed.length
  const last = more > 0 ? `${more} more` : (listed.pop() ?? 'nothing')
  return listed.length === 0 ? last : `${listed.join(', ')} or ${last}`
}

const maxShown = 40

/** A value as a message repeats it: cut when it goes on and on. */
export function describedValue(value: unknown): string {
  if (value === '') return 'empty text'
  if (typeof value === 'string') return quoted(value)
  return typeof value === 'number' || typeof value === 'boolean' ? `\`${value}\`` : kindOf(value)
}

/** A name as a message repeats it. */
export function quoted(name: string): string {
  return `\`${name.length > maxShown ? `${name.slice(0, maxShown)}…` : name}\``
}

/** Case and the choice of separator are slips too small to count. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_. ]/g, '')
}

/** The number of characters by which a name may be shorter than written, once its separators are gone. */
const separators = 4

/** The edit distance, or anything above `limit` once it cannot be within it. */
function editDistance(a: string, b: string, limit: number): number {
  const row = new Uint8Array(b.length + 1)
  for (let j = 1; j <= b.length; j++) row[j] = j
  for (let i = 1; i <= a.length; i++) {
    let diagonal = i - 1
    let left = i
    let least = i
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0
      const changed = diagonal + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1)
      left = Math.min(above + 1, left + 1, changed)
      diagonal = above
      row[j] = left
      least = Math.min(least, left)
    }
    if (least > limit) return least
  }
  return row[b.length] ?? 0
}
