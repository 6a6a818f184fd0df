import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until the value is there; how long that takes on this machine does not matter. */
export async function waitFor<T>(
  what: string,
  look: () => T | Promise<T>,
  ms = 300_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + ms
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`never came: ${what}`)
    await sleep(25)
  }
}
