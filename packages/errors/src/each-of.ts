/**
 * Works each of them, whatever becomes of the others: one that can never be worked must hold up no other. Throws
 * afterwards what failed, so that the next sweep waits a while. How many there were.
 */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<number> {
  const failures: unknown[] = []
  for (const item of items)
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
    }
  if (failures.length === 0) return items.length
  const [first] = failures
  if (failures.length === 1) throw first
  const words = first instanceof Error ? first.message : String(first)
  throw new AggregateError(failures, `${failures.length} of ${items.length} failed, the first with: ${words}`)
}
