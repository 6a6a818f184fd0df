import type { IncomingHttpHeaders } from 'node:http'
import { isAtOrBelow, type PreviewPlace } from '@svc/context'

/** The first label of a preview's name; null where the name is that of none. */
export type PreviewLabel = string | null

interface Named {
  readonly headers: IncomingHttpHeaders
  readonly url?: string | undefined
}

/**
 * The preview that a request is for; undefined for one of the platform's own. A request that names a preview host anywhere is
 * for a preview: by no header does one come from there to the platform.
 */
export function previewLabel(
  { headers, url = '/' }: Named,
  place: Pick<PreviewPlace, 'name'>,
  trust_proxy: boolean,
): PreviewLabel | undefined {
  let given = headers.host ?? ''
  if (trust_proxy) given += `,${headers['x-forwarded-host'] ?? ''}`
  if (!url.startsWith('/')) given += `,${absolute(url) ?? ''}`
  // Almost every request is the platform's own.
  if (!given.toLowerCase().includes(place.name)) return undefined
  const found = given
    .split(',')
    .map(hostname)
    .find((name) => isAtOrBelow(name, place.name))
  if (found === undefined) return undefined
  const label = found.slice(0, -`.${place.name}`.length)
  return /^[0-9a-f]{32}$/.test(label) ? label : null
}

/** The host of a request as a proxy gets it: `GET http://host/path`. */
function absolute(url: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url)?.[1]
}

function hostname(host: string): string {
  return host.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}
