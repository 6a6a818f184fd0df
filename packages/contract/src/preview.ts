import type { IncomingHttpHeaders } from 'node:http'

export { isForeignWrite } from './foreign-write.ts'

/**
 * The barrier between the platform and the pages of a sandbox's programs. A cookie knows no port and may be set for a
 * whole domain: the proxy and every door in front of it pass none of the platform's own, in either direction.
 */

const prefix = 'svc_'

export interface CookieScope {
  readonly secure: boolean
  readonly path: string
}

/**
 * The name of a cookie of the platform. On https its name holds browsers to how it was set: a page of another host
 * below the same domain plants none that is of the whole origin, and no page one over plain http.
 */
export function platformCookie(name: string, { secure, path }: CookieScope): string {
  if (!secure) return prefix + name
  return `${path === '/' ? '__Host-' : '__Secure-'}${prefix}${name}`
}

/** A cookie without a name is sent as its value alone, which then reads like a name and a value. */
const ours = /^[\s=]*(?:__(?:Host|Secure)-)?svc_/i

/** True when a `name=value` is a cookie of the platform, or would be read as one. */
export function isPlatformCookie(pair: string): boolean {
  return ours.test(pair)
}

/** Takes the platform's cookies out of a request's headers, or out of an answer's. */
export function dropPlatformCookies(headers: IncomingHttpHeaders): void {
  const sent = (headers.cookie ?? '')
    .split(';')
    .filter((pair) => pair.trim() !== '' && !isPlatformCookie(pair))
  if (sent.length > 0) headers.cookie = sent.join(';').trim()
  else delete headers.cookie
  const set = (headers['set-cookie'] ?? []).filter((line) => !isPlatformCookie(line))
  if (set.length > 0) headers['set-cookie'] = set
  else delete headers['set-cookie']
}

/**
 * The policy of a sandbox's document that is served from the platform's own origin: it may do all that it likes, as an
 * origin of its own that shares nothing with any other.
 */
const documentPolicy = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts'
const policyHeader = 'content-security-policy'

/** Adds the policy to those that the program sets itself, each of which holds. */
export function confineDocument(headers: IncomingHttpHeaders): void {
  const own = headers[policyHeader]
  headers[policyHeader] = own === undefined ? documentPolicy : `${String(own)}, ${documentPolicy}`
}

/** For a door on an origin of its own, where a page is left as its program made it. */
export function freeDocument(headers: IncomingHttpHeaders): void {
  const own = String(headers[policyHeader] ?? '')
  if (own === documentPolicy) delete headers[policyHeader]
  else if (own.endsWith(`, ${documentPolicy}`))
    headers[policyHeader] = own.slice(0, -`, ${documentPolicy}`.length)
}
