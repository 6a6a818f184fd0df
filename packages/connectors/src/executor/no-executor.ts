import { ServiceError } from '@svc/errors'
import type { Executor } from '../context.ts'

export function executorUnavailable(options?: { readonly cause: unknown }): ServiceError {
  return new ServiceError(
    'executor_unavailable',
    'No executor is running, which makes the calls of connectors; try again in a moment',
    { retry_after: 5 },
    options,
  )
}

const unavailable = async (): Promise<never> => {
  throw executorUnavailable()
}

/** Of a platform whose operator runs none: every call is refused before anything is written. */
export const noExecutor: Executor = {
  ready: unavailable,
  run: unavailable,
  sync: unavailable,
  origin: unavailable,
  test: unavailable,
  beginSignIn: unavailable,
  finishSignIn: unavailable,
  revoke: unavailable,
}
