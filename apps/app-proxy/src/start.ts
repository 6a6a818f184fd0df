import type { Logger, Meter } from '@svc/boot'
import type { DatabaseListener, Db } from '@svc/db'
import type { ObjectStore } from '@svc/objects'
import { noApps, openApps } from './apps.ts'
import { type RunningAppProxy, serveVisits } from './serve-visits.ts'
import { countUsage } from './usage.ts'
import type { VisitsParts } from './visits.ts'

export interface AppProxyParts {
  readonly db: Db
  readonly listener: Pick<DatabaseListener, 'subscribe'>
  /** The store of the files of releases; without it there are no apps. */
  readonly objects: ObjectStore | undefined
  /** The address below which apps are; without it there are none. */
  readonly apps_url: string | undefined
  readonly public_url: string | undefined
  readonly log: Logger
  readonly metrics?: Meter | undefined
  /** Time for which a visitor is held while an app starts. */
  readonly wake_ms?: number | undefined
  readonly is_proxy?: VisitsParts['is_proxy']
  /** Milliseconds since the epoch; the machine's clock when absent. */
  readonly now?: () => number
}

/** Listens for visitors of apps. */
export async function startAppProxy(
  { objects, apps_url, log, metrics, wake_ms, is_proxy, now = Date.now, ...parts }: AppProxyParts,
  at: { readonly host: string; readonly port: number },
): Promise<RunningAppProxy> {
  if (objects === undefined || apps_url === undefined) {
    log.warn('There are no apps: SVC_APPS_URL and SVC_OBJECT_STORE are needed')
    return serveVisits({ log, find: noApps }, at)
  }
  const usage = countUsage({ db: parts.db, log, metrics, now })
  const apps = openApps({ ...parts, objects, apps_url, now, usage })
  const { onAnswer, onBytes } = usage
  const running = await serveVisits({ log, ...apps, wake_ms, is_proxy, onAnswer, onBytes }, at)
  return {
    ...running,
    close: async (force) => {
      apps.close()
      await running.close(force)
      await usage.close()
    },
  }
}
