import { ServiceError } from '@svc/errors'
import { HTTPException } from 'hono/http-exception'
import { isDatabaseAway, isLocked, isUnstorableText } from '@svc/db'

/** The refusal that an error becomes for the caller; null for a defect, whose text is for the log alone. */
export function refusalOf(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error
  if (error instanceof HTTPException) return ofHttp(error)
  // What waited for a lock in vain was rolled back, such as a request in a circle with a migration.
  if (isDatabaseAway(error) || isLocked(error)) {
    return new ServiceError(
      'temporarily_unavailable',
      'The platform cannot answer at the moment; try again in a few seconds',
      { retry_after: 2 },
      { cause: error },
    )
  }
  if (isUnstorableText(error))
    return new ServiceError(
      'invalid_request',
      'The request holds a NUL character, which no field takes; send it without',
    )
  return null
}

function ofHttp({ status }: HTTPException): ServiceError | null {
  if (status === 415)
    return new ServiceError(
      'unsupported_media_type',
      'The body must be JSON; send it with Content-Type: application/json',
    )
  if (status === 413) return new ServiceError('payload_too_large', 'The body is too large; send less at once')
  if (status === 400)
    return new ServiceError('malformed_json', 'The body is not JSON; check its quotes and commas')
  return null
}
