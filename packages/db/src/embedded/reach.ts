import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { DataDirInUse } from './claim.ts'
import { loadOrCreatePassword, user } from './cluster.ts'
import { makeDataDir } from './data-dir.ts'
import { serverOwner } from './owner.ts'
import { socketDir } from './socket-dir.ts'
import { connectionString, type EmbeddedOptions, startEmbeddedPostgres } from './start.ts'

export interface ReachedPostgres {
  readonly connection_string: string
  /** Ends the server where it was started for this caller. */
  close(): Promise<void>
}

/** A platform that is starting has its server up within that time. */
const upMs = 30_000

/** The server of a data directory: the one that a platform runs on it, or one that is started for the caller alone. */
export async function reachEmbeddedPostgres(options: EmbeddedOptions): Promise<ReachedPostgres> {
  try {
    return await startEmbeddedPostgres(options)
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error
    const data_dir = await makeDataDir(options.data_dir, serverOwner(), options.log)
    const url = connectionString(socketDir(data_dir), await loadOrCreatePassword(data_dir), user)
    await answers(url, error)
    return { connection_string: url, close: async () => {} }
  }
}

async function answers(url: string, in_use: DataDirInUse): Promise<void> {
  for (const give_up = Date.now() + upMs; ; await sleep(200)) {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (cause) {
      if (Date.now() > give_up)
        throw new Error(`${in_use.message}, and its PostgreSQL does not answer`, { cause })
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
