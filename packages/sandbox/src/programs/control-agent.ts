import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxEndpoint } from '../provider.ts'
import { errorCode } from '../sandbox-error.ts'
import { dialEndpoint } from './dial-endpoint.ts'
import { controlPreface } from './wire.ts'

/** A sandbox that was made a moment ago listens by then. */
const startMs = 10_000
const retryMs = 25

/** A refused connection has sent nothing, so it is tried again while the sandbox may be starting. */
async function dialStarting(endpoint: SandboxEndpoint): Promise<Socket> {
  const end = Date.now() + startMs
  for (;;) {
    try {
      return await dialEndpoint(endpoint)
    } catch (error) {
      if (errorCode(error) !== 'ECONNREFUSED' || Date.now() + retryMs > end) throw error
      await sleep(retryMs)
    }
  }
}

/** Keeps connections to the control of one sandbox. */
export class ControlAgent extends Agent {
  readonly #endpoint: SandboxEndpoint
  readonly #token: string
  /** One that listened once does not start: where it refuses, it ended. */
  #reached = false

  constructor(endpoint: SandboxEndpoint, token: string) {
    super({ keepAlive: true, maxFreeSockets: 2 })
    this.#endpoint = endpoint
    this.#token = token
  }

  override createConnection(
    _options: object,
    callback: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const dialed = this.#reached ? dialEndpoint(this.#endpoint) : dialStarting(this.#endpoint)
    dialed.then(
      (socket) => {
        this.#reached = true
        socket.write(controlPreface(this.#token))
        callback(null, socket)
      },
      // Named boundary: the type asks for a socket where there is none.
      (error: Error) => callback(error, undefined as unknown as Duplex),
    )
    return undefined
  }
}
