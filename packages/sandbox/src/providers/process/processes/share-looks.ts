/**
 * One look for all callers that ask at the same time. A caller that asks while one is under way shares the next: the
 * answer is never older than the question.
 */
export function shareLooks<T>(look: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  return () => {
    next ??= current.then(() => {
      next = null
      const looking = look()
      current = looking.catch(() => undefined)
      return looking
    })
    return next
  }
}
