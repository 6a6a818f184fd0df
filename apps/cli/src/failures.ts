/** The command was used wrongly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly next: string | undefined

  constructor(message: string, next?: string) {
    super(message)
    this.next = next
  }
}

/** The command was understood and could not be done: exit code 1. */
export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly next: string | undefined

  constructor(message: string, next?: string, options?: { cause?: unknown }) {
    super(message, options)
    this.next = next
  }
}

/** The command failed and has already said how: exit code 1 without another word. */
export class ReportedFailure extends Error {
  override readonly name = 'ReportedFailure'
}
