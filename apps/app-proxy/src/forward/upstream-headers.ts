import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

/** Headers of one connection alone (RFC 9110, 7.6.1), and those that the client of the other side writes itself. */
const ofTheConnection = [
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
]

/** Names that a client may write and an app must not read: the visit's own, and what only this proxy says. */
const ofTheVisit = ['x-svc-app-token', 'x-request-id', 'forwarded', 'x-real-ip']

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
  const kept = without(headers, [...ofTheConnection, ...ofTheVisit])
  const cookie = withoutOwnCookies(headers.cookie)
  delete kept['cookie']
  return {
    ...kept,
    ...(cookie === null ? {} : { cookie }),
    'x-forwarded-for': address,
    'x-forwarded-proto': proto,
    'x-forwarded-host': headers.host ?? '',
    'x-request-id': request_id,
  }
}

/** The headers that a visitor is answered with. */
export function answerHeaders(headers: IncomingHttpHeaders, host: string): Record<string, string | string[]> {
  const kept = without(headers, ofTheConnection)
  const cookies = [headers['set-cookie'] ?? []].flat()
  return cookies.length === 0
    ? kept
    : { ...kept, 'set-cookie': cookies.map((cookie) => withoutForeignDomain(cookie, host)) }
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

function without(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string | string[]> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const dropped = new Set([...names, ...named])
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !dropped.has(name)) kept[name] = value
  return kept
}

function withoutOwnCookies(cookie: string | undefined): string | null {
  const kept = (cookie ?? '')
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
