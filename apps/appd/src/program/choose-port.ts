import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports from which Linux takes those of connections. */
const first = 10_000
const count = 20_000
const tries = 200

/** A port at which nothing on this network listens. */
export async function choosePort(): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const port = randomInt(first, first + count)
    if (await isFree(port)) return port
  }
  throw new Error('There is no free port in this sandbox.')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host: '0.0.0.0', port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
