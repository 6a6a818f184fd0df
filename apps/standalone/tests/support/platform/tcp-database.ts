import { join } from 'node:path'
import { testDatabase } from '@svc/db/testing'
import { forwardTo } from './forward.ts'

export interface TcpDatabase {
  readonly connection_string: string
  readonly port: number
  close(): Promise<void>
}

/** A test's database at a port of every address of this machine, as a careless deployment has its PostgreSQL. */
export async function tcpDatabase(
  made: Promise<Omit<TcpDatabase, 'port'>> = testDatabase(),
): Promise<TcpDatabase> {
  const database = await made
  const url = new URL(database.connection_string)
  const forward = await forwardTo({ path: join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432') })
  url.search = ''
  url.host = `127.0.0.1:${forward.port}`
  return {
    connection_string: url.href,
    port: forward.port,
    close: async () => {
      await forward.close()
      await database.close()
    },
  }
}
