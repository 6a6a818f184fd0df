import { ServiceError } from '@svc/errors'

/** The refusal of a request whose sandbox did not answer; the cause is for the log. */
export function unreachable(cause: unknown): ServiceError {
  return new ServiceError(
    'sandbox_unreachable',
    'The sandbox did not answer; try again, or restart its session',
    {},
    { cause },
  )
}
