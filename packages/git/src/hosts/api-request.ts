import { request as requestHttp } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pinnedLookup } from '@svc/access'
import { noUpgrade } from '@svc/timing'
import type { CheckedRepositoryUrl } from '../remote/check-repository-url.ts'

export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON; null for anything else. */
  readonly body: unknown
}

const timeoutMs = 10_000
const maxAnswer = 1024 * 1024

/**
 * One request to a host's API. The connection goes to an address that was checked; a redirect is an answer like any
 * other and is not followed.
 */
export function requestApi(
  target: CheckedRepositoryUrl,
  { method, path, headers, body }: ApiRequest,
  signal: AbortSignal | undefined,
): Promise<ApiAnswer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const time = AbortSignal.timeout(timeoutMs)
  const options = {
    method,
    host: target.host,
    port: target.port,
    path,
    lookup: pinnedLookup(target.addresses),
    agent: false as const,
    signal: signal === undefined ? time : AbortSignal.any([signal, time]),
    headers: {
      accept: 'application/json',
      'user-agent': 'svc',
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...headers,
    },
  }
  return new Promise((resolve, reject) => {
    const answer = (message: IncomingMessage) => {
      read(message).then(
        (read) => resolve({ status: message.statusCode ?? 0, headers: message.headers, body: read }),
        reject,
      )
    }
    const request = target.protocol === 'https' ? requestHttps(options, answer) : requestHttp(options, answer)
    noUpgrade(request).once('error', reject).end(text)
  })
}

async function read(message: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message) {
    size += chunk.length
    if (size > maxAnswer) throw new Error('the answer of the host is too long')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}
