import { Agent, request } from 'node:http'

export interface Reader {
  /** Reads once; resolves with the status, the ETag and the length of the body. */
  read(): Promise<Answer>
  close(): void
}

export interface Answer {
  readonly status: number
  readonly etag: string | undefined
  readonly bytes: number
}

/** The same GET again and again, or one of several in turns, over connections that stay open. */
export function createReader(
  url: string | (() => string),
  headers: Readonly<Record<string, string>>,
  connections: number,
): Reader {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    read: () =>
      new Promise((resolve, reject) => {
        const sent = request(typeof url === 'string' ? url : url(), { agent, headers }, (answer) => {
          let bytes = 0
          answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
          answer.once('end', () =>
            resolve({ status: answer.statusCode ?? 0, etag: answer.headers.etag, bytes }),
          )
        })
        sent.once('error', reject)
        sent.end()
      }),
    close: () => agent.destroy(),
  }
}

/**
 * Answers a second for that long and until there are `at_least` of them, with as many readers at once as there are
 * connections; each has to have this status.
 */
export async function rate(
  reader: Reader,
  connections: number,
  ms: number,
  expected: number,
  at_least = 0,
): Promise<{ per_second: number; answered: number }> {
  let answered = 0
  const began = performance.now()
  const loop = async () => {
    while (answered < at_least || performance.now() - began < ms) {
      const { status } = await reader.read()
      if (status !== expected) throw new Error(`A read was answered with ${status} instead of ${expected}`)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  return { per_second: answered / ((performance.now() - began) / 1000), answered }
}
