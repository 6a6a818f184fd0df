import type { IncomingMessage } from 'node:http'
import type { ErrorCode, ErrorDetails } from '@svc/errors'
import type { Site } from '../static/answer-static.ts'

/** A running copy of a release, by the address of its front, as a provider gives it. */
export interface Instance {
  readonly instance_id: string
  readonly url: string
  readonly ca?: string | undefined
  /** A visitor was led to it. */
  readonly onVisit?: () => void
  /** It could not be reached: waits a moment for it, or another one in its place. */
  readonly onLost?: () => Promise<void>
}

/** A release whose program sleeps: a visitor who may wait is held until it answers. */
export interface Sleeper {
  /** Its instance once that answers; null when none does in this time. */
  wake(wait_ms: number, signal: AbortSignal): Promise<Instance | Refused | null>
}

export interface Refused {
  readonly kind: 'refused'
  readonly code: ErrorCode
  readonly message: string
  readonly details?: ErrorDetails
  /** The page that lets a person in, where one does. */
  readonly enter?: { readonly kind: 'page'; readonly url: string } | { readonly kind: 'password' }
}

/** Requests of an app that are answered at a time; without it as many as come. */
interface Limited {
  readonly limit?: { readonly app_id: string; readonly max: number }
}

/** The goal of a host now, read in one look, so that a visitor is served exactly one version. */
export type Place =
  | ({ readonly kind: 'instance'; readonly instance: Instance } & Limited)
  | ({ readonly kind: 'asleep'; readonly sleeper: Sleeper } & Limited)
  | ({ readonly kind: 'site'; readonly site: Site } & Limited)
  | Refused

/** A visitor as a place is found by: the host in lower case and without its port, and what proves who they are. */
export interface Visitor {
  readonly headers: IncomingMessage['headers']
  readonly url: string
  readonly host: string
}

/** The place of a visitor. */
export type FindPlace = (visitor: Visitor) => Promise<Place>

/** The host of a request, in lower case and without its port. */
export function hostOf(header: string | undefined): string {
  return (header ?? '').toLowerCase().replace(/:\d*$/, '')
}

export const noApp: Refused = {
  kind: 'refused',
  code: 'app_not_found',
  message: 'No app is at this address. Check the address, or look up the app’s own in its project.',
}
