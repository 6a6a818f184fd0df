import { connect, type Socket } from 'node:net'

const addresses = ['127.0.0.1', '::1']
/** The address at which a port answered last: programs rarely change it. */
const known = new Map<number, string>()

/** A connection to a port of this sandbox, on the loopback address that its program listens at. */
export async function connectLoopback(port: number): Promise<Socket> {
  const first = known.get(port)
  const order = first === undefined ? addresses : [first, ...addresses.filter((one) => one !== first)]
  let refusal: unknown
  for (const host of order) {
    try {
      const socket = await connectTo(host, port)
      known.set(port, host)
      return socket
    } catch (error) {
      refusal ??= error
    }
  }
  throw refusal
}

function connectTo(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true, noDelay: true })
    socket.once('error', reject).once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}
