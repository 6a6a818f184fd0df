import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from './fetch-boot.ts'

const retryMs = 5

/** Resolves once a connection to the address is accepted. */
export async function untilListening({ address, port }: Address): Promise<void> {
  for (;;) {
    const socket = connect({ host: address, port })
    const accepted = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (accepted) return
    await sleep(retryMs)
  }
}
