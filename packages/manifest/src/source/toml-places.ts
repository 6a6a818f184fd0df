import type { Path, Place } from '../issue.ts'
import { pathText } from '../issue.ts'

/**
 * Finds the lines of TOML keys by their headers and assignments. It reads only text that parsed, and only
 * to point at a line: a key inside an inline table is found at the assignment that holds it.
 */
export function locateInToml(text: string): (path: Path) => Place | undefined {
  let places: ReadonlyMap<string, Place> | undefined
  return (path) => {
    places ??= placesOf(text)
    for (let length = path.length; length > 0; length--) {
      const place = places.get(pathText(path.slice(0, length)))
      if (place) return place
    }
    return undefined
  }
}

function placesOf(text: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  const counts = new Map<string, number>()
  let table: Path = []
  let closing: string | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (closing !== undefined) {
      if (line.includes(closing)) closing = undefined
      continue
    }
    const place = { line: index + 1, column: line.length - line.trimStart().length + 1 }
    const list = /^\s*\[\[([^\]]+)\]\]/.exec(line)
    const header = list ?? /^\s*\[([^\]]+)\]/.exec(line)
    if (header) {
      const named = partsOf(header[1] ?? '')
      const parent = inLists(named.slice(0, -1), counts)
      const last = named.at(-1) ?? ''
      table = [...parent, last]
      if (list) {
        const key = pathText(table)
        const count = counts.get(key) ?? 0
        counts.set(key, count + 1)
        if (count === 0) places.set(key, place)
        table = [...table, count]
      } else {
        table = inLists(named, counts)
      }
      places.set(pathText(table), place)
      continue
    }
    const assignment =
      /^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=(.*)$/s.exec(
        line,
      )
    if (!assignment) continue
    places.set(pathText([...table, ...partsOf(assignment[1] ?? '')]), place)
    closing = openedBy(assignment[2] ?? '')
  }
  return places
}

/** The names of a path, with the index of the newest item after each that is a list of tables. */
function inLists(names: readonly string[], counts: ReadonlyMap<string, number>): Path {
  let path: Path = []
  for (const name of names) {
    path = [...path, name]
    const count = counts.get(pathText(path))
    if (count !== undefined) path = [...path, count - 1]
  }
  return path
}

function partsOf(name: string): readonly string[] {
  const parts = name.match(/"[^"]*"|'[^']*'|[^\s."']+/g) ?? []
  return parts.map((part) => (/^["']/.test(part) ? part.slice(1, -1) : part))
}

function openedBy(value: string): string | undefined {
  for (const quotes of ['"""', "'''"]) {
    const from = value.indexOf(quotes)
    if (from !== -1 && !value.includes(quotes, from + quotes.length)) return quotes
  }
  return undefined
}
