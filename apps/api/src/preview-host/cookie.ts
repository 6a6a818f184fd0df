import { isAtOrBelow, type PreviewPlace } from '@svc/context'
import { platformCookie } from '@svc/contract/preview'

/**
 * Of this host alone. A frame of the dashboard is on another site, where a browser takes a cookie only as `Secure` and
 * keeps it apart for each site that frames; to browsers `localhost` is secure without TLS. Elsewhere on plain http there
 * is none of that, and a preview is a page of its own.
 */
export function previewCookie(place: PreviewPlace, value: string, max_age_seconds: number): string {
  const framed = place.scheme === 'https' || isAtOrBelow(place.name, 'localhost')
  return [
    `${cookieName(place)}=${value}`,
    'Path=/',
    `Max-Age=${max_age_seconds}`,
    'HttpOnly',
    ...(framed ? ['Secure', 'SameSite=None', 'Partitioned'] : ['SameSite=Lax']),
  ].join('; ')
}

/** Every value that comes under the name: pages of other previews may have set more. */
export function previewCookies(place: PreviewPlace, header: string | undefined): string[] {
  const start = `${cookieName(place)}=`
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
}

function cookieName({ scheme }: PreviewPlace): string {
  return platformCookie('preview', { secure: scheme === 'https', path: '/' })
}
