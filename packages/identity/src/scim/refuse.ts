import { ServiceError } from '@svc/errors'

/** The words of RFC 7644 section 3.12 that clients branch on. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness'

/** A refusal with its word: 409 for what is taken, else 400. */
export function refused(scimType: ScimType, message: string): ServiceError {
  return new ServiceError(scimType === 'uniqueness' ? 'conflict' : 'invalid_request', message, { scimType })
}
