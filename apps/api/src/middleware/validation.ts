import { issuesOf } from '@svc/contract/issues'
import { ServiceError } from '@svc/errors'
import type { z } from 'zod'

interface ValidationResult {
  readonly success: boolean
  readonly error?: { readonly issues: readonly z.core.$ZodIssue[] }
}

const maxIssues = 50

/** The hook of every route: input that the contract refuses becomes a 400 that lists the issues. */
export function refuseInvalid(result: ValidationResult): void {
  if (result.success || !result.error) return
  const issues = issuesOf(result.error).slice(0, maxIssues)
  throw new ServiceError('invalid_request', messageOf(issues[0]), { issues })
}

/** Of the body as a whole a type says only what it must be. */
function messageOf(first: { readonly path: string; readonly message: string } | undefined): string {
  if (first === undefined) return 'The request is not valid'
  if (first.path !== '') return `${first.path}: ${first.message}`
  return first.message.startsWith('must ') ? `The body ${first.message}` : first.message
}
