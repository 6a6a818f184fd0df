import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const lookMs = 50
/** An answer may come in pieces with pauses between them. */
const quietMs = 3_000

/**
 * Ends connections as they owe nothing more, until none is left or the signal: each is kept while what it last asked for has no
 * answer, and while bytes pass. `open` has what was written to each when it last asked.
 */
export async function untilQuiet(open: ReadonlyMap<Socket, number>, force: AbortSignal): Promise<void> {
  const passed = new Map<Socket, { readonly bytes: number; readonly at: number }>()
  while (open.size > 0 && !force.aborted) {
    for (const [socket, asked_at] of open) {
      const bytes = socket.bytesRead + socket.bytesWritten
      const before = passed.get(socket)
      if (before?.bytes !== bytes) passed.set(socket, { bytes, at: performance.now() })
      else if (socket.bytesWritten > asked_at && performance.now() - before.at >= quietMs) socket.destroy()
    }
    await sleep(lookMs, undefined, { signal: force }).catch(() => undefined)
  }
}
