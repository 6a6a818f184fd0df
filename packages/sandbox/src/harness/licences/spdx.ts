/** Licences that need no acceptance. */
const free = /^(Apache-2\.0|MIT|ISC|BSD-.+|0BSD|MPL-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Python-2\.0)$/

/**
 * Whether a licence, as package.json names it, asks for no acceptance: of an `OR` one part has to be free, of an `AND` all.
 * Words that are no expression, such as `SEE LICENSE IN x`, are not free.
 */
export function isFree(spdx: string | null): boolean {
  if (spdx === null) return false
  const tokens = spdx.match(/[()]|[^\s()]+/g) ?? []
  const verdict = readOr(tokens)
  return verdict !== null && verdict.rest.length === 0 && verdict.free
}

/** A part of an expression that was read; null where there is none. */
type Verdict = { readonly free: boolean; readonly rest: readonly string[] } | null

function readOr(tokens: readonly string[]): Verdict {
  const left = readAnd(tokens)
  if (left === null || left.rest[0] !== 'OR') return left
  const right = readOr(left.rest.slice(1))
  return right === null ? null : { free: left.free || right.free, rest: right.rest }
}

function readAnd(tokens: readonly string[]): Verdict {
  const left = readOne(tokens)
  if (left === null || left.rest[0] !== 'AND') return left
  const right = readAnd(left.rest.slice(1))
  return right === null ? null : { free: left.free && right.free, rest: right.rest }
}

function readOne([first, ...rest]: readonly string[]): Verdict {
  if (first === undefined || [')', 'OR', 'AND', 'WITH'].includes(first)) return null
  if (first === '(') {
    const inner = readOr(rest)
    return inner === null || inner.rest[0] !== ')' ? null : { free: inner.free, rest: inner.rest.slice(1) }
  }
  // An exception only adds permissions.
  const after = rest[0] === 'WITH' ? rest.slice(2) : rest
  return { free: free.test(first), rest: after }
}

/** The licence that a package.json or a lock names, in today's form or one of the two before; null without one. */
export function spdxOf(manifest: Readonly<Record<string, unknown>>): string | null {
  const { license, licenses } = manifest
  const one = nameOfLicence(license)
  if (one !== null) return one
  if (!Array.isArray(licenses)) return null
  const names = licenses.map(nameOfLicence).filter((name) => name !== null)
  return names.length === 0 ? null : names.join(' OR ')
}

function nameOfLicence(value: unknown): string | null {
  const name = typeof value === 'object' && value !== null && 'type' in value ? value.type : value
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : null
}
