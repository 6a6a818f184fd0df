import { Agent } from 'node:http'
import type { Duplex } from 'node:stream'
import type { SandboxEndpoint } from '../provider.ts'
import { dialEndpoint } from './dial-endpoint.ts'
import { controlPreface } from './wire.ts'

/** Keeps connections to the control of one sandbox. */
export class ControlAgent extends Agent {
  readonly #endpoint: SandboxEndpoint
  readonly #token: string

  constructor(endpoint: SandboxEndpoint, token: string) {
    super({ keepAlive: true, maxFreeSockets: 2 })
    this.#endpoint = endpoint
    this.#token = token
  }

  override createConnection(
    _options: object,
    callback: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    dialEndpoint(this.#endpoint).then(
      (socket) => {
        socket.write(controlPreface(this.#token))
        callback(null, socket)
      },
      // Named boundary: the type asks for a socket where there is none.
      (error: Error) => callback(error, undefined as unknown as Duplex),
    )
    return undefined
  }
}
