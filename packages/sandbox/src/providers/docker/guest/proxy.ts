import { once } from 'node:events'
import { createHttpProxy } from '../../../network/http-proxy.ts'
import type { Address } from './fetch-boot.ts'
import { openTunnel } from './tunnel.ts'

/** The HTTP proxy of this sandbox: programs ask it for the internet, the platform decides. */
export async function openProxy(relay: string, at: Address, wait_ms: number): Promise<void> {
  const server = createHttpProxy((_client, target) => openTunnel(relay, target, wait_ms))
  server.listen(at.port, at.address)
  await once(server, 'listening')
  server.unref()
}
