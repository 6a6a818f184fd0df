import { ServiceError } from '@svc/errors'

/** A field of a body that a schema cannot judge. */
export function invalid(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${path}: ${message}`, { issues: [{ path, message }] })
}
