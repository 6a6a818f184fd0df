import type { ErrorCode } from '@svc/errors'
import type { Site } from './static/answer-static.ts'

/** A running copy of a release, by the address of its front: `unix:///path` or `http://address:port`. */
export interface Instance {
  readonly instance_id: string
  readonly url: string
}

/** The goal of a host now, read in one look, so that a visitor is served exactly one version. */
export type Place =
  | { readonly kind: 'instance'; readonly instance: Instance }
  | { readonly kind: 'site'; readonly site: Site }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }

/** The place of a host, in lower case and without its port. */
export type FindPlace = (host: string) => Promise<Place>

/** The host of a request, in lower case and without its port. */
export function hostOf(header: string | undefined): string {
  return (header ?? '').toLowerCase().replace(/:\d*$/, '')
}

/** No app is at any host. */
export const noPlaces: FindPlace = async () => ({
  kind: 'refused',
  code: 'app_not_found',
  message: 'No app is at this address. Check the address, or look up the app’s own in its project.',
})
