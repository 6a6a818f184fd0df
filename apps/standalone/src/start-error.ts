/** Thrown for a fault that the person who starts the platform can mend; shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
