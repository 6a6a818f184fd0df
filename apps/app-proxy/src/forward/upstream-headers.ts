import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

/** Headers of one connection alone (RFC 9110, 7.6.1), and those that the client of the other side writes itself. */
const ofTheConnection: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** With names that a client may write and an app must not read: the visit's own, and what only this proxy says. */
const keptHere: ReadonlySet<string> = new Set([
  ...ofTheConnection,
  ...['cookie', 'x-svc-app-token', 'x-request-id', 'forwarded', 'x-real-ip'],
])

/** The proxy's cookies, on https and on http. */
const ownCookies: ReadonlySet<string> = new Set(['__Host-svc_app', 'svc_app'])

export interface VisitFacts {
  readonly address: string
  readonly proto: 'http' | 'https'
  readonly request_id: string
}

/** The headers that an app is asked with. */
export function upstreamHeaders(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { address, proto, request_id }: VisitFacts,
): Record<string, string | string[]> {
  const kept = without(headers, keptHere)
  const cookie = withoutOwnCookies(headers.cookie)
  if (cookie !== null) kept['cookie'] = cookie
  kept['x-forwarded-for'] = address
  kept['x-forwarded-proto'] = proto
  kept['x-forwarded-host'] = headers.host ?? ''
  kept['x-request-id'] = request_id
  return kept
}

/** The headers that a visitor is answered with. */
export function answerHeaders(headers: IncomingHttpHeaders, host: string): Record<string, string | string[]> {
  const kept = without(headers, ofTheConnection)
  const cookies = headers['set-cookie']
  if (cookies !== undefined)
    kept['set-cookie'] = [cookies].flat().map((cookie) => withoutForeignDomain(cookie, host))
  return kept
}

/** The path and query that an app is asked for: without the parameters that are the proxy's. */
export function upstreamPath(url: string): string {
  const mark = url.indexOf('?')
  if (mark < 0 || !url.includes('__svc', mark)) return url
  const kept = url
    .slice(mark + 1)
    .split('&')
    .filter((pair) => !pair.startsWith('__svc'))
    .join('&')
  return url.slice(0, mark) + (kept === '' ? '' : `?${kept}`)
}

/** Every request passes here twice: it makes one object, and nothing else where no header names others. */
function without(
  headers: IncomingHttpHeaders,
  names: ReadonlySet<string>,
): Record<string, string | string[]> {
  const named = namedBy(headers.connection)
  const kept: Record<string, string | string[]> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !names.has(name) && !named.includes(name)) kept[name] = value
  }
  return kept
}

const none: readonly string[] = []

/** Headers that `Connection` names beside what it says of the connection itself. */
function namedBy(connection: string | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return none
  return connection.split(',').map((name) => name.trim().toLowerCase())
}

function withoutOwnCookies(cookie: string | undefined): string | null {
  if (cookie === undefined) return null
  const kept = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !ownCookies.has(pair.split('=', 1)[0] ?? ''))
  return kept.length === 0 ? null : kept.join('; ')
}

/** A cookie for a domain above the app's host would reach its siblings. */
function withoutForeignDomain(cookie: string, host: string): string {
  const own = host.replace(/:\d+$/, '').toLowerCase()
  const [pair = '', ...attributes] = cookie.split(';')
  const kept = attributes.filter((attribute) => {
    const [name = '', value = ''] = attribute.split('=', 2).map((part) => part.trim().toLowerCase())
    return name !== 'domain' || value.replace(/^\./, '') === own
  })
  return [pair, ...kept].join(';')
}
