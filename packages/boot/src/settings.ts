import type { z } from 'zod'
import { maskSecrets, secretName } from './mask.ts'

/** Names every variable that is wrong or missing, so that one look at the log is enough. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** Reads the variables that the schema names. An empty one counts as not given. */
export function readSettings<S extends z.ZodObject>(schema: S, source: NodeJS.ProcessEnv): z.infer<S> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => (source[name] ? [[name, source[name]]] : [])),
  )
  const read = schema.safeParse(given)
  if (read.success) return read.data
  throw new SettingsError(read.error.issues.map((issue) => describeIssue(schema, given, issue)))
}

function describeIssue(
  schema: z.ZodObject,
  given: Record<string, string | undefined>,
  issue: z.core.$ZodIssue,
) {
  const name = String(issue.path[0] ?? '')
  if (!name) return issue.message
  const meaning = descriptionOf(schema.shape[name])
  const value = given[name]
  const problem =
    value === undefined
      ? wordsForMissing(issue)
      : `${wordsForWrong(issue)} (given: ${maskedValue(name, value)})`
  return `${name}: ${problem}${meaning ? ` - ${meaning}` : ''}`
}

/** A rule between several variables says by itself why one is needed. */
function wordsForMissing(issue: z.core.$ZodIssue): string {
  return issue.code === 'custom' ? issue.message : 'is missing'
}

function wordsForWrong(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be a ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'too_small':
      if (issue.origin === 'string') return issue.message
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'string') return issue.message
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`
    default:
      return issue.message
  }
}

function descriptionOf(field: unknown): string | undefined {
  if (typeof field !== 'object' || field === null || !('description' in field)) return undefined
  return typeof field.description === 'string' ? field.description : undefined
}

function maskedValue(name: string, value: string): string {
  if (secretName(name)) return 'a value that is not shown'
  const masked = maskSecrets(value)
  return JSON.stringify(masked.length > 100 ? `${masked.slice(0, 100)}…` : masked)
}
