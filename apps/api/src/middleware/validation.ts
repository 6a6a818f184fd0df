import { ServiceError } from '@svc/errors'
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

interface ValidationResult {
  readonly success: boolean
  readonly error?: { readonly issues: readonly Issue[] }
}

const maxIssues = 50

/** The hook of every route: input that the contract refuses becomes a 400 that lists the issues. */
export function refuseInvalid(result: ValidationResult): void {
  if (result.success || !result.error) return
  const issues = result.error.issues.flatMap(present).slice(0, maxIssues)
  const first = issues[0]
  const message =
    first === undefined
      ? 'The request is not valid'
      : first.path === ''
        ? first.message
        : `${first.path}: ${first.message}`
  throw new ServiceError('invalid_request', message, { issues })
}

/** An unknown key is an issue of its own, at that key. */
function present(issue: Issue): { path: string; message: string }[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: pathText(issue.path), message: wordsFor(issue) }]
  return issue.keys.map((key) => ({ path: pathText([...issue.path, key]), message: 'is not a known key' }))
}

/** The validator speaks of its own types; a caller asks what is expected. */
function wordsFor(issue: Issue): string {
  const { message } = issue
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1)
    return 'must not be empty'
  if (issue.code !== 'invalid_type') return message
  if (/received undefined$/.test(message)) return 'is required'
  return /received NaN$/.test(message) ? 'must be a number' : message.replace(/^Invalid input: /, '')
}

/** `items[0].name` */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? String(part) : `${text}.${String(part)}`
  }, '')
}
