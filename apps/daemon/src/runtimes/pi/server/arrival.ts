import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const lookMs = 20

/** Waits for a file that another process makes; false when the signal ended the wait. */
export async function awaitFile(path: string, signal: AbortSignal | undefined): Promise<boolean> {
  while (!existsSync(path)) {
    if (signal?.aborted) return false
    await sleep(lookMs)
  }
  return true
}
