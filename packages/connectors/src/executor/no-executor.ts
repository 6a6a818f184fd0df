import { ServiceError } from '@svc/errors'
import type { Executor } from '../context.ts'

const unavailable = async (): Promise<never> => {
  throw new ServiceError(
    'executor_unavailable',
    'No executor is running, which makes the calls of connectors; try again in a moment',
    { retry_after: 5 },
  )
}

/** Of a platform whose operator runs none: every call is refused before anything is written. */
export const noExecutor: Executor = {
  run: unavailable,
  sync: unavailable,
  origin: unavailable,
  test: unavailable,
}
