import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { testDatabase } from '@svc/db/testing'
import { portOf } from './ports.ts'

export interface TcpDatabase {
  readonly connection_string: string
  readonly port: number
  close(): Promise<void>
}

/** A test's database at a port of every address of this machine, as a careless deployment has its PostgreSQL. */
export async function tcpDatabase(): Promise<TcpDatabase> {
  const database = await testDatabase()
  const url = new URL(database.connection_string)
  const path = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const target = connect(path)
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      open.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
    socket.pipe(target).pipe(socket)
  })
  server.listen(0)
  await once(server, 'listening')
  const port = portOf(server)
  url.search = ''
  url.host = `127.0.0.1:${port}`
  return {
    connection_string: url.href,
    port,
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await database.close()
    },
  }
}
