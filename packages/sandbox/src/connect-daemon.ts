import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { SandboxEndpoint } from './provider.ts'

/** The way of a request to a sandbox's daemon. */
export interface DaemonConnection {
  readonly request: typeof httpRequest
  /** The daemon's place, as a request's options or a proxy's target. */
  readonly place: DaemonPlace
  /** Headers that every request carries for the provider, not for the daemon. */
  readonly headers: Readonly<Record<string, string>>
}

export type DaemonPlace =
  | { readonly socketPath: string }
  | {
      readonly protocol: 'http:' | 'https:'
      readonly hostname: string
      readonly port: string
      readonly ca?: string
    }

/** Headers that the daemon reads itself, so that no provider can use them. */
const ofTheDaemon = ['authorization', 'host', 'connection', 'content-length', 'transfer-encoding']

/** Reads an endpoint: `unix:///path`, `http://host:port` or `https://host`, the last two without a path. */
export function connectDaemon({ url: text, headers = {}, ca }: SandboxEndpoint): DaemonConnection {
  const taken = Object.keys(headers).find((name) => ofTheDaemon.includes(name.toLowerCase()))
  if (taken !== undefined)
    throw new Error(`A sandbox cannot be reached with the header ${taken}: its daemon reads that itself`)
  const url = new URL(text)
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  if (url.protocol === 'unix:')
    return {
      request: httpRequest,
      place: { socketPath: decodeURIComponent(url.pathname) },
      headers: lower,
    }
  const { protocol } = url
  if ((protocol !== 'http:' && protocol !== 'https:') || url.pathname !== '/')
    throw new Error(`A sandbox cannot be reached at ${text}`)
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (protocol === 'https:' ? '443' : '80') : url.port
  const place: DaemonPlace = { protocol, hostname, port, ...(ca === undefined ? {} : { ca }) }
  // The server that ends the encryption chooses the sandbox by this name, and its certificate is for it.
  return protocol === 'https:'
    ? { request: httpsRequest, place, headers: { ...lower, host: url.host } }
    : { request: httpRequest, place, headers: lower }
}
