import { errorBody, type ServiceError } from '@svc/errors'

/** The body of a refusal: that of a limit on requests has a shape of its own. */
export function bodyOf(refusal: ServiceError): object {
  const { code, message, details } = refusal
  if (code !== 'rate_limit_exceeded') return errorBody(refusal)
  return { error: code, message, retry_after_seconds: details.retry_after }
}
