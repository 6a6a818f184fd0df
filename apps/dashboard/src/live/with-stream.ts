/**
 * Streams of sessions that a browser holds in all its tabs. Over HTTP/1.1 it has six connections to a host: one has the
 * changes, and two stay free for what the pages ask.
 */
const streams = 3

/** Runs with one of these streams; false when other tabs have them all. Pages without https know no locks of tabs. */
export async function withStream(run: () => Promise<void>): Promise<boolean> {
  if (!('locks' in navigator)) {
    await run()
    return true
  }
  for (let stream = 0; stream < streams; stream += 1)
    if (await runWith(`svc.session-events.${stream}`, run)) return true
  return false
}

async function runWith(name: string, run: () => Promise<void>): Promise<boolean> {
  return navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock === null) return false
    await run()
    return true
  })
}
