const retryMs = 250

/**
 * Retries idempotent work for `wait_ms` while the platform is away; an agent whose command failed has lost its turn.
 */
export async function whileAway<T>(
  wait_ms: number,
  work: () => Promise<T>,
  isAway: (error: unknown) => boolean = () => true,
): Promise<T> {
  const end = Date.now() + wait_ms
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error) || Date.now() + retryMs > end) throw error
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}
