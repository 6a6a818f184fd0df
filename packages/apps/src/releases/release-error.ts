import type { FailureCategory } from '@svc/app'

/** An end that the release itself brought about: the same again ends the same. */
export class ReleaseError extends Error {
  readonly category: FailureCategory

  constructor(category: FailureCategory, message: string) {
    super(message)
    this.category = category
  }
}
