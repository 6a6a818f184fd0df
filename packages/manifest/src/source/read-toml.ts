import { parse, TomlDate, TomlError } from 'smol-toml'
import type { Finding } from '../issue.ts'
import { error } from '../issue.ts'
import { manifestLimits, prototypeKeys } from '../limits.ts'
import {
  isTooLarge,
  startOfText,
  tooLargeMessage,
  unreadable,
  unstorable,
  withoutByteOrderMark,
} from './source.ts'
import type { Source } from './source.ts'
import { locateInToml } from './toml-places.ts'

/** Reads TOML into the same plain data that YAML gives; its dates become ISO 8601 text. */
export function readToml(text: string): Source {
  if (isTooLarge(text)) return unreadable([error([], tooLargeMessage)])
  const body = withoutByteOrderMark(text)
  if (countMarks(body) > manifestLimits.toml_marks) {
    return unreadable([
      error([], `the file holds more than ${manifestLimits.toml_marks} TOML entries and line breaks`),
    ])
  }
  try {
    const findings: Finding[] = []
    const data = plain(parse(body, { maxDepth: manifestLimits.depth }), [], findings)
    const locate = locateInToml(body)
    return { data, findings, locate: (path) => locate(path) ?? startOfText }
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const message = `not valid TOML: ${cause.message.split('\n')[0]?.replace('Invalid TOML document: ', '')}`
    return unreadable([{ ...error([], message), place: { line: cause.line, column: cause.column } }])
  }
}

/**
 * The number of marks that cost more to read than to write. A dot before a space ends a sentence, one before a letter
 * joins keys.
 */
function countMarks(text: string): number {
  let count = 0
  for (const _ of text.matchAll(/[\n=[{,]|\.(?=\S)/g)) count++
  return count
}

function plain(value: unknown, path: readonly (string | number)[], findings: Finding[]): unknown {
  if (value instanceof TomlDate) return value.toISOString()
  if (typeof value === 'string') {
    const problem = unstorable(value)
    if (problem !== undefined) findings.push(error(path, problem))
    return problem === undefined ? value : null
  }
  if (path.length > manifestLimits.depth) {
    findings.push(error(path, `nested deeper than ${manifestLimits.depth} levels`))
    return null
  }
  if (Array.isArray(value)) return value.map((item, index) => plain(item, [...path, index], findings))
  if (typeof value !== 'object' || value === null) return value
  const result: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    const at = [...path, key]
    if (prototypeKeys.has(key)) findings.push(error(at, `the key \`${key}\` is not allowed`))
    else result[key] = plain(item, at, findings)
  }
  return result
}
