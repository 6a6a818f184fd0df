/**
 * One look for all who ask at the same time. Whoever asks while one is under way shares the next: what they are shown is
 * never older than their question.
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
