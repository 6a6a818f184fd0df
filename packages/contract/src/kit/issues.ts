import type { z } from 'zod'

type ZodIssue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** The issues of the validator, each at its place and in words for who sent it. An unknown key is an issue of its own. */
export function issuesOf(
  { issues }: { readonly issues: readonly ZodIssue[] },
  base: Path = [],
): { path: string; message: string }[] {
  return issues.flatMap((issue) => explain(issue, base))
}

function explain(issue: ZodIssue, base: Path): { path: string; message: string }[] {
  const path = [...base, ...issue.path]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: pathText([...path, key]), message: 'is not a known key' }))
  if (issue.code === 'invalid_union' && isDefault(issue.message)) {
    const inside = issue.errors.find(
      (problems) => problems.length > 0 && problems.every((one) => one.path.length > 0),
    )
    if (inside !== undefined) return inside.flatMap((problem) => explain(problem, path))
  }
  return [{ path: pathText(path), message: wordsFor(issue) }]
}

/** The validator speaks of its own types; a message that a schema gives is a person's, and stays. */
function wordsFor(issue: ZodIssue): string {
  if (issue.code === 'invalid_key') return issue.issues[0] ? wordsFor(issue.issues[0]) : 'is not a valid name'
  if (!isDefault(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue)
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_format':
      return formats[issue.format] ?? issue.message
    case 'invalid_union':
      return wrongUnion(issue)
    case 'too_small':
      return bound(issue.origin, issue.minimum, 'least', issue.inclusive)
    case 'too_big':
      return bound(issue.origin, issue.maximum, 'most', issue.inclusive)
    default:
      return issue.message
  }
}

const isDefault = (message: string) => /^(Invalid |Invalid$|Too (big|small): )/.test(message)

function wrongType({ expected, message }: Extract<ZodIssue, { code: 'invalid_type' }>): string {
  const received = /received (\w+)$/.exec(message)?.[1] ?? ''
  if (received === 'undefined') return 'is required'
  const noun = nouns[expected] ?? expected
  // A number that is asked to be whole, and text of a query that was read as a number.
  if (received === 'NaN' || (expected === 'int' && received === 'number')) return `must be ${noun}`
  return `must be ${noun}, not ${nouns[received] ?? received}`
}

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'must be a uuid',
  datetime: 'must be a time in ISO 8601, such as 2030-01-31T09:00:00Z',
  email: 'must be an email address',
  url: 'must be a URL',
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(', ')}`

/** By the key that tells the options apart, where there is one; else by the types of them all. */
function wrongUnion(issue: Extract<ZodIssue, { code: 'invalid_union' }>): string {
  if ('options' in issue && issue.options !== undefined) return oneOf(issue.options)
  const expected = issue.errors.flat().flatMap((one) => (one.code === 'invalid_type' ? [one.expected] : []))
  const kinds = new Set(expected.map((one) => nouns[one] ?? one))
  return `must be ${[...kinds].join(' or ') || 'of another form'}`
}

function bound(origin: string, limit: number | bigint, side: 'least' | 'most', inclusive = true): string {
  const unit = { string: 'character', array: 'item', set: 'item' }[origin]
  if (unit === undefined)
    return inclusive
      ? `must be at ${side} ${limit}`
      : `must be ${side === 'least' ? 'more' : 'less'} than ${limit}`
  if (side === 'least' && Number(limit) === 1) return 'must not be empty'
  return `must have at ${side} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`
}

/** `items[0].name` */
export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? String(part) : `${text}.${String(part)}`
  }, '')
}
