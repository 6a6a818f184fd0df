import { issuesOf } from '@svc/contract/issues'
import { ServiceError } from '@svc/errors'
import type { Context } from 'hono'
import type { z } from 'zod'
import type { AppEnv } from '../parts.ts'
import { refuseStrangers } from './refuse-strangers.ts'

interface ValidationResult {
  readonly success: boolean
  readonly error?: Pick<z.core.$ZodError, 'issues'>
}

const maxIssues = 50

/** The hook of every route: input that the contract refuses becomes a 400 that lists the issues, for who may ask. */
export async function refuseInvalid(result: ValidationResult, c: Context<AppEnv>): Promise<void> {
  if (result.success || !result.error) return
  await refuseStrangers(c)
  throw invalidRequest(result.error)
}

export function invalidRequest(error: Pick<z.core.$ZodError, 'issues'>): ServiceError {
  const issues = issuesOf(error).slice(0, maxIssues)
  return new ServiceError('invalid_request', messageOf(issues[0]), { issues })
}

/** Of the body as a whole a type says only what it must be. */
function messageOf(first: { readonly path: string; readonly message: string } | undefined): string {
  if (first === undefined) return 'The request is not valid'
  if (first.path !== '') return `${first.path}: ${first.message}`
  return first.message.startsWith('must ') ? `The body ${first.message}` : first.message
}
