import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs } from '@svc/timing'

/** Doubling pauses with a cap: 0.5 s, 1 s, 2 s … */
export function backoffMs(attempt: number, firstMs = 500, maxMs = 30_000): number {
  return backOffMs(attempt, firstMs, maxMs)
}

/** Resolves early, and without a word, when the signal fires. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined)
}
