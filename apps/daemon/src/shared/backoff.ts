import { setTimeout as sleep } from 'node:timers/promises'

/** Doubling pauses with a cap: 0.5 s, 1 s, 2 s … */
export function backoffMs(attempt: number, firstMs = 500, capMs = 30_000): number {
  return Math.min(capMs, firstMs * 2 ** Math.min(attempt, 20))
}

/** Resolves early, and without a word, when the signal fires. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined)
}
