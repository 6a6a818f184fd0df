import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Egress } from '../src/network/egress.ts'

export interface Outside {
  readonly folder: string
  /** Connections that were let through come here instead. */
  readonly connect: NonNullable<Egress['connect']>
  close(): Promise<void>
}

/** Stands for whatever is out there: it has nothing to say to a request. */
export async function openOutside(): Promise<Outside> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-egress-'))
  const path = join(folder, 'outside')
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    folder,
    connect: async () => connect(path),
    close: async () => {
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
