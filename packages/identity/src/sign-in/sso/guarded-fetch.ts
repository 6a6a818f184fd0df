import { lookup as systemLookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { isAllowedAddress, isPublicAddress } from '@svc/access'
import type { CustomFetch } from 'openid-client'

/** The request would have gone to an address that a customer may not send the platform to. */
export class RefusedTarget extends Error {
  override readonly name = 'RefusedTarget'
}

const timeoutMs = 10_000
const maxBytes = 1024 * 1024

const resolve = async (host: string): Promise<readonly string[]> =>
  (await systemLookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/**
 * Requests to an address that a customer named: every address that its name leads to is public or within `allowed`,
 * the connection goes to those and no later answer, and no redirect is followed. `https`, but on this machine itself.
 */
export function guardedFetch(allowed: readonly string[], lookup = resolve): CustomFetch {
  return async (text, { method, headers, body, signal }) => {
    const url = new URL(text)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(host) ? [host] : await lookup(host)
    if (addresses.length === 0 || !addresses.every((address) => isAllowedAddress(address, allowed)))
      throw new RefusedTarget(`${host} is at an address that is not public`)
    if (url.protocol !== 'https:' && !addresses.every(isLoopback))
      throw new RefusedTarget(`${host} is not asked without TLS`)
    const sent =
      body === undefined || body === null ? null : Buffer.from(await new Response(body).arrayBuffer())
    const time = AbortSignal.timeout(timeoutMs)
    const options = {
      method,
      host,
      port: url.port,
      path: url.pathname + url.search,
      lookup: pinned(addresses),
      agent: false as const,
      headers: { ...headers, ...(sent === null ? {} : { 'content-length': sent.length }) },
      signal: signal === undefined ? time : AbortSignal.any([signal, time]),
    }
    return new Promise((settle, reject) => {
      const answer = (message: IncomingMessage) => void read(message).then(settle, reject)
      const request = url.protocol === 'https:' ? requestHttps(options, answer) : requestHttp(options, answer)
      request.once('error', reject)
      request.end(sent ?? undefined)
    })
  }
}

const loopback = ['127.0.0.0/8', '::1/128']
const isLoopback = (address: string) => !isPublicAddress(address) && isAllowedAddress(address, loopback)

function pinned(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_, { all }, callback) => {
    const [first] = known
    if (first === undefined) callback(new Error('no address was checked'), '', 4)
    else if (all) callback(null, known)
    else callback(null, first.address, first.family)
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
