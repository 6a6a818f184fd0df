import type { Logger } from '@svc/boot'
import type { Db } from '@svc/db'
import { noPlaces } from './places.ts'
import { type RunningAppProxy, serveVisits } from './serve-visits.ts'

export interface AppProxyParts {
  readonly db: Db
  readonly log: Logger
}

/** Listens for visitors of apps. */
export function startAppProxy(
  { log }: AppProxyParts,
  at: { readonly host: string; readonly port: number },
): Promise<RunningAppProxy> {
  return serveVisits({ log, find: noPlaces }, at)
}
