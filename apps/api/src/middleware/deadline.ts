import { ServiceError } from '@svc/errors'
import { createMiddleware } from 'hono/factory'
import { within } from '@svc/timing'
import type { AppEnv } from '../parts.ts'

export function deadlineRefusal(limit_ms: number): ServiceError {
  return new ServiceError(
    'request_deadline',
    `The request took longer than ${limit_ms / 1000} seconds; read the state before sending a write again`,
    { retry_after: 1 },
  )
}

/** Answers 503 when the work takes longer, and ends the work. A stream counts until it begins. */
export function deadline(limit_ms: number) {
  return createMiddleware<AppEnv>(async (c, next) => {
    await within(limit_ms, next(), () => {
      const error = deadlineRefusal(limit_ms)
      c.get('end').abort(error)
      return error
    })
  })
}
