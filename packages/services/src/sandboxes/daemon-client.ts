import { connectDaemon, type SandboxEndpoint } from '@svc/sandbox'
import { noUpgrade } from '@svc/timing'

export interface DaemonRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly service_key?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly content?: Uint8Array
  readonly timeout_ms: number
  /** Gives the exchange up. */
  readonly signal?: AbortSignal
}

export interface DaemonAnswer {
  readonly status: number
  readonly body: unknown
}

const maxAnswerBytes = 1024 * 1024

/** One exchange with a sandbox's daemon, whose answer is a small JSON. */
export function askDaemon(endpoint: SandboxEndpoint, ask: DaemonRequest): Promise<DaemonAnswer> {
  const body = ask.content ?? (ask.body === undefined ? undefined : Buffer.from(JSON.stringify(ask.body)))
  const type = ask.content === undefined ? 'application/json' : 'application/octet-stream'
  return new Promise((resolve, reject) => {
    const { request, place, headers } = connectDaemon(endpoint)
    const asked = request({
      ...place,
      method: ask.method,
      path: ask.path,
      agent: false,
      signal: AbortSignal.any([AbortSignal.timeout(ask.timeout_ms), ...(ask.signal ? [ask.signal] : [])]),
      headers: {
        host: 'sandbox',
        ...headers,
        ...(ask.service_key === undefined ? {} : { authorization: `Bearer ${ask.service_key}` }),
        ...(body === undefined ? {} : { 'content-type': type, 'content-length': body.byteLength }),
      },
    })
    const outgoing = noUpgrade(asked)
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      let size = 0
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxAnswerBytes) outgoing.destroy(new Error('The daemon answered too much'))
        else chunks.push(chunk)
      })
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, body: parse(Buffer.concat(chunks)) }),
      )
    })
    outgoing.end(body)
  })
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    return null
  }
}
