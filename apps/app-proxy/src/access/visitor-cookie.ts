import type { IncomingHttpHeaders } from 'node:http'

/** On https the name itself holds browsers to this host alone: no sibling can plant one. */
export const cookieName = (scheme: string) => (scheme === 'https' ? '__Host-svc_app' : 'svc_app')

export function visitorCookie(scheme: string, token: string, max_age_seconds: number): string {
  const secure = scheme === 'https' ? ['Secure'] : []
  return [
    `${cookieName(scheme)}=${token}`,
    'Path=/',
    `Max-Age=${max_age_seconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...secure,
  ].join('; ')
}

/** The tokens that a visitor shows: that of a machine, else each that came under the cookie's name. */
export function shownTokens(headers: IncomingHttpHeaders, scheme: string): string[] {
  const header = headers['x-svc-app-token']
  if (typeof header === 'string' && header !== '') return [header]
  const start = `${cookieName(scheme)}=`
  return (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
    .slice(0, 3)
}
