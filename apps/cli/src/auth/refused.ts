import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi'
import { OperationError } from '../failures.ts'

const reasons: Readonly<Record<string, string>> = {
  access_denied: 'the login was not allowed',
  expired_token: 'the code expired before it was approved',
  invalid_grant: 'the login has ended',
}

/** The reason that the platform refused a login, in a line; never with a code or a token. */
export function refused(error: unknown): OperationError {
  if (error instanceof OperationError) return error
  const code =
    error instanceof AuthorizationResponseError || error instanceof ResponseBodyError ? error.error : null
  const reason =
    code === null ? 'the login did not work' : (reasons[code] ?? `the login did not work (${code})`)
  return new OperationError(reason, 'run `svc login` again', { cause: error })
}
