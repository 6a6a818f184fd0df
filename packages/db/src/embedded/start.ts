import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findBinaries, runnableBinaries } from './binaries.ts'
import { claim } from './claim.ts'
import { ensureCluster, loadOrCreatePassword, user } from './cluster.ts'
import { stopLeftover } from './leftover.ts'
import { makeDataDir, openRoot } from './data-dir.ts'
import { keepRunning } from './keep-running.ts'
import type { EmbeddedLog } from './log.ts'
import { serverOwner } from './owner.ts'
import { makeSocketDir, socketDir } from './socket-dir.ts'

export type { EmbeddedLog } from './log.ts'

export interface EmbeddedOptions {
  readonly data_dir: string
  readonly log: EmbeddedLog
  /** Server settings by name, for example { fsync: 'off' } for a database that may be lost. */
  readonly settings?: Readonly<Record<string, string>>
  /** Ends a start that is under way, which throws then and leaves no process behind. */
  readonly stopping?: AbortSignal
}

export interface EmbeddedPostgres {
  readonly connection_string: string
  /** Of the server that runs now; another one after it was killed and started again. */
  readonly pid: number
  /** Ends the server and waits for it; from `force` on without a checkpoint, for which the next start makes up. */
  close(force?: AbortSignal): Promise<void>
}

/** Runs a real PostgreSQL on a data directory of ours, reachable through a private socket only. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, settings = {}, stopping = new AbortController().signal } = options
  const owner = serverOwner()
  const data_dir = await makeDataDir(options.data_dir, owner, log)
  const claimed = await claim(data_dir)
  try {
    const binaries = await runnableBinaries(findBinaries(), owner ? openRoot : data_dir, owner, log)
    await stopLeftover(join(data_dir, 'cluster'), log, stopping)
    const password = await loadOrCreatePassword(data_dir)
    const cluster_dir = await ensureCluster(data_dir, binaries, password, owner, stopping)
    const socket_dir = socketDir(data_dir)
    await makeSocketDir(socket_dir, owner)
    const urlOf = (database: string) => connectionString(socket_dir, password, database)
    const place = { binaries, cluster_dir, socket_dir, owner, settings }
    const running = await keepRunning(place, urlOf('postgres'), log, stopping)
    return {
      connection_string: urlOf(user),
      get pid() {
        return running.pid
      },
      async close(force) {
        await running.close(force)
        await rm(socket_dir, { recursive: true, force: true })
        await claimed.release()
      },
    }
  } catch (error) {
    await claimed.release()
    throw error
  }
}

/** The host in the query wins over the one in the authority, which is there so that every URL parser accepts it. */
export function connectionString(socket_dir: string, password: string, database: string): string {
  return `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(socket_dir)}`
}
