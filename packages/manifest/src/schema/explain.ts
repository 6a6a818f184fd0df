import type { z } from 'zod'
import type { Finding, Message, Path } from '../issue.ts'
import { error } from '../issue.ts'
import { kindOf, valueAt } from '../raw.ts'
import { choice, didYouMean, describedValue } from '../suggest.ts'

type ZodIssue = z.core.$ZodIssue

/** The `params` of a custom issue whose message is worded only when it is listed. */
export function saying(message: () => string): Record<string, unknown> {
  return { say: message }
}

/** The findings of the shape on the data, in words: what is wrong, what is allowed, and the nearest known name. */
export function shapeFindings(shape: z.ZodType, data: unknown): readonly Finding[] {
  const result = shape.safeParse(data)
  return result.success ? [] : result.error.issues.flatMap((issue) => explain(issue, data, []))
}

function explain(issue: ZodIssue, data: unknown, base: Path): readonly Finding[] {
  const path = [...base, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))]
  const found = valueAt(data, path)
  switch (issue.code) {
    case 'invalid_type':
      return [
        error(path, issue.expected === 'never' ? issue.message : () => wrongType(issue.expected, found)),
      ]
    case 'invalid_value':
      return [error(path, () => wrongValue(issue, found))]
    case 'too_small':
      return [error(path, tooSmall(issue))]
    case 'too_big':
      return [error(path, `must be at most ${issue.maximum}`)]
    case 'invalid_key':
      return [error(path, issue.issues[0]?.message ?? 'is not a valid name')]
    case 'invalid_union':
      return explainUnion(issue, data, path)
    case 'custom':
      return [error(path, spoken(issue))]
    default:
      return [error(path, issue.message)]
  }
}

function spoken({ params, message }: Extract<ZodIssue, { code: 'custom' }>): Message {
  const say: unknown = params?.['say']
  return typeof say === 'function' ? () => String(say()) : message
}

/** A fault inside the one option that fits otherwise is the problem. */
function explainUnion(
  issue: Extract<ZodIssue, { code: 'invalid_union' }>,
  data: unknown,
  path: Path,
): readonly Finding[] {
  const inside = issue.errors.find(
    (problems) => problems.length > 0 && problems.every((one) => one.path.length > 0),
  )
  if (inside) return inside.flatMap((problem) => explain(problem, data, path))
  const found = valueAt(data, path)
  if (found === undefined) return [error(path, 'required')]
  return [
    error(path, () => {
      const words = issue.errors
        .flat()
        .flatMap((one) => (one.code === 'invalid_value' ? one.values.map(String) : []))
      const hint = typeof found === 'string' ? didYouMean(found, words) : `, not ${describedValue(found)}`
      return `${issue.message}${hint}`
    }),
  ]
}

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
}

function wrongType(expected: string, found: unknown): string {
  const noun = nouns[expected] ?? expected
  if (found === undefined) return `required: ${noun}`
  if (found === null) return `is empty; it must be ${noun}`
  const quoted =
    typeof found === 'string' && (expected === 'int' || expected === 'number' || expected === 'boolean')
  if (quoted && isPlainly(expected, found)) return `must be ${noun}, not text; remove the quotes`
  if (expected === 'string' && kindOf(found) !== 'a list' && kindOf(found) !== 'a mapping') {
    return `must be text, not ${describedValue(found)}; put it in quotes`
  }
  return `must be ${noun}, not ${describedValue(found)}`
}

function isPlainly(expected: string, text: string): boolean {
  return expected === 'boolean' ? text === 'true' || text === 'false' : /^-?\d+(\.\d+)?$/.test(text)
}

const listedInFull = 12

function wrongValue(issue: Extract<ZodIssue, { code: 'invalid_value' }>, found: unknown): string {
  const values = issue.values.map(String)
  if (values.length === 1 && !issue.message.startsWith('Invalid')) return issue.message
  if (found === undefined) return `required: ${choice(values)}`
  const hint = typeof found === 'string' ? didYouMean(found, values) : ''
  if (values.length > listedInFull && hint !== '') return `${describedValue(found)} is not known${hint}`
  return `must be ${choice(values)}, not ${describedValue(found)}${hint}`
}

function tooSmall(issue: Extract<ZodIssue, { code: 'too_small' }>): string {
  if (issue.origin === 'string') return 'must not be empty'
  if (issue.origin === 'array') return 'must have at least one item'
  return `must be at least ${issue.minimum}`
}
