import { request, type RequestOptions } from 'node:http'

export interface DaemonRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly service_key?: string
  readonly body?: unknown
  readonly timeout_ms: number
  /** Gives the exchange up. */
  readonly signal?: AbortSignal
}

export interface DaemonAnswer {
  readonly status: number
  readonly body: unknown
}

const maxAnswerBytes = 1024 * 1024

/** Where a daemon is, at `http://host:port` or `unix:///path`, as a request wants it. */
export function daemonAddress(endpoint: string): Pick<RequestOptions, 'socketPath' | 'host' | 'port'> {
  const target = new URL(endpoint)
  return target.protocol === 'unix:'
    ? { socketPath: decodeURIComponent(target.pathname) }
    : { host: target.hostname, port: target.port }
}

/** One small JSON exchange with a sandbox's daemon. */
export function askDaemon(endpoint: string, ask: DaemonRequest): Promise<DaemonAnswer> {
  const body = ask.body === undefined ? undefined : Buffer.from(JSON.stringify(ask.body))
  return new Promise((resolve, reject) => {
    const outgoing = request({
      ...daemonAddress(endpoint),
      method: ask.method,
      path: ask.path,
      agent: false,
      signal: AbortSignal.any([AbortSignal.timeout(ask.timeout_ms), ...(ask.signal ? [ask.signal] : [])]),
      headers: {
        host: 'sandbox',
        ...(ask.service_key === undefined ? {} : { authorization: `Bearer ${ask.service_key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
      },
    })
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
