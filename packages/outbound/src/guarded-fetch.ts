import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pinnedLookup } from '@svc/access'
import { noUpgrade } from '@svc/timing'
import { checkTarget, hostOf, type Lookup, lookupAll, type OutboundRules } from './target.ts'

const timeoutMs = 10_000
const maxBytes = 1024 * 1024

interface Asked {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: ConstructorParameters<typeof Response>[0]
  readonly signal?: AbortSignal | undefined
}

/**
 * Requests to an address that a user named: every address that its name leads to is public or within the rules, the
 * connection goes to those and no later answer, and no redirect is followed. The answer is read whole, up to a size.
 */
export function guardedFetch(rules: OutboundRules, lookup: Lookup = lookupAll) {
  return async (text: string, { method, headers, body, signal }: Asked): Promise<Response> => {
    const url = new URL(text)
    const addresses = await checkTarget(url, rules, lookup)
    const sent =
      body === undefined || body === null ? null : Buffer.from(await new Response(body).arrayBuffer())
    const time = AbortSignal.timeout(timeoutMs)
    const options = {
      method,
      host: hostOf(url),
      port: url.port,
      path: url.pathname + url.search,
      lookup: pinnedLookup(addresses),
      agent: false as const,
      headers: { ...headers, ...(sent === null ? {} : { 'content-length': sent.length }) },
      signal: signal === undefined ? time : AbortSignal.any([signal, time]),
    }
    return new Promise((settle, reject) => {
      const answer = (message: IncomingMessage) => void read(message).then(settle, reject)
      const request = url.protocol === 'https:' ? requestHttps(options, answer) : requestHttp(options, answer)
      noUpgrade(request)
        .once('error', reject)
        .end(sent ?? undefined)
    })
  }
}

async function read(message: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message) {
    size += chunk.length
    if (size > maxBytes) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  const headers = Object.entries(message.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  const { statusCode: status = 500 } = message
  const none = size === 0 || status === 204 || status === 304
  return new Response(none ? null : Buffer.concat(chunks), { status, headers })
}
