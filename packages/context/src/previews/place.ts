import { isLocalName, isLoopbackAddress } from '@svc/facts'

/** The address of previews: each has a name of its own below `host`. */
export interface PreviewPlace {
  readonly scheme: 'http' | 'https'
  /** With its port, where that is not the one of the scheme. */
  readonly host: string
  /** The same without a port, in lower case. */
  readonly name: string
}

export interface PreviewPlaceSettings {
  readonly SVC_PUBLIC_URL: string
  readonly SVC_PREVIEW_HOST?: string | undefined
}

/**
 * The place that the operator names, or `preview.localhost` on one machine; null where the platform has another name,
 * below which previews may have none.
 */
export function previewPlace({
  SVC_PUBLIC_URL,
  SVC_PREVIEW_HOST,
}: PreviewPlaceSettings): PreviewPlace | null {
  const { hostname, port, protocol } = new URL(SVC_PUBLIC_URL)
  const scheme = protocol === 'https:' ? 'https' : 'http'
  if (SVC_PREVIEW_HOST === undefined) {
    if (scheme === 'https' || !(isLocalName(hostname) || isLoopbackAddress(hostname))) return null
    return { scheme, host: port === '' ? onThisMachine : `${onThisMachine}:${port}`, name: onThisMachine }
  }
  const [name = ''] = SVC_PREVIEW_HOST.split(':')
  return { scheme, host: SVC_PREVIEW_HOST, name }
}

/** Browsers take every name below `localhost` for the machine itself. */
const onThisMachine = 'preview.localhost'

export function isAtOrBelow(hostname: string, name: string): boolean {
  return hostname === name || hostname.endsWith(`.${name}`)
}
