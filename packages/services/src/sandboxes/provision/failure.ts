import { ServiceError } from '@svc/errors'
import { SandboxError } from '@svc/sandbox'
import type { SessionFailure } from '@svc/session'

/** The failure that a session shows for what went wrong on its sandbox's way up. */
export function failureOf(error: unknown): SessionFailure {
  if (error instanceof SandboxError)
    return { category: error.kind, message: error.message, retryable: error.retryable }
  if (error instanceof ServiceError) {
    return {
      category: 'repository',
      message: error.message,
      retryable: error.code === 'git_mirror_unavailable',
    }
  }
  if (error instanceof BootError) return error.failure
  return {
    category: 'internal',
    message: 'The sandbox could not be started; the platform logged why',
    retryable: true,
  }
}

/** The sandbox came up but cannot work: in its own words. */
export class BootError extends Error {
  override readonly name = 'BootError'
  readonly failure: SessionFailure

  constructor(failure: SessionFailure) {
    super(failure.message)
    this.failure = failure
  }
}
