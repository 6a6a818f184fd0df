import { backOffMs } from '@svc/timing'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddedLog } from './log.ts'
import { type Server, type ServerPlace, startServer } from './server.ts'

export interface Running {
  readonly pid: number
  close(force?: AbortSignal): Promise<void>
}

/** A server that dies by itself (killed, out of memory) is started again on the same socket; clients just reconnect. */
export async function keepRunning(
  place: ServerPlace,
  admin_url: string,
  log: EmbeddedLog,
  stopping: AbortSignal,
): Promise<Running> {
  const closing = new AbortController()
  let server: Server = await startServer(place, admin_url, log, stopping)
  const endWithProcess = () => {
    try {
      process.kill(server.pid, 'SIGINT')
    } catch {
      // It is gone already.
    }
  }
  process.once('exit', endWithProcess)

  const watch = async () => {
    for (;;) {
      await server.exited
      if (closing.signal.aborted) return
      log.error({ pid: server.pid }, 'PostgreSQL ended by itself and is started again')
      const next = await restart(place, admin_url, log, closing.signal)
      if (!next) return
      server = next
    }
  }
  const watching = watch()

  return {
    get pid() {
      return server.pid
    },
    async close(force) {
      closing.abort()
      await server.stop(force)
      await watching
      // A start that was under way when close() came has ended in a server that is not watched.
      await server.stop(force)
      process.off('exit', endWithProcess)
    },
  }
}

async function restart(place: ServerPlace, admin_url: string, log: EmbeddedLog, closing: AbortSignal) {
  for (let attempt = 0; !closing.aborted; attempt += 1) {
    try {
      return await startServer(place, admin_url, log, closing)
    } catch (error) {
      if (closing.aborted) break
      // The dead server's children hold its memory for a moment longer, and the next one waits for that.
      const wait = backOffMs(attempt, 100, 5_000)
      log.warn({ err: error, wait }, 'PostgreSQL does not start yet')
      await sleep(wait, undefined, { signal: closing }).catch(() => undefined)
    }
  }
  return undefined
}
