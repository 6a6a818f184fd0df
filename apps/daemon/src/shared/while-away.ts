import { pause } from './backoff.ts'

/** A platform that starts anew is back by then. */
const timeoutMs = 30_000
const retryMs = 250

/** Retries idempotent work while the platform is away; an agent whose command failed has lost its turn. */
export async function whileAway<T>(
  work: () => Promise<T>,
  isAway: (error: unknown) => boolean = () => true,
): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error) || Date.now() + retryMs > end) throw error
      await pause(retryMs)
    }
  }
}
