import { mayView, modeOf } from '@svc/app'
import type { DatabaseListener, Db } from '@svc/db'
import type { ObjectStore } from '@svc/objects'
import { createOwnPaths, isOwnPath } from './access/own-paths.ts'
import { shownTokens } from './access/visitor-cookie.ts'
import { whoVisits } from './access/who-visits.ts'
import { knownPlaces, labelOf, servingOf, type ServingPlace } from './places/known-places.ts'
import { type FindPlace, noApp, type Place, type Refused, type Visitor } from './places/place.ts'
import { moneyRefusal } from './places/money.ts'
import { createSites } from './places/sites.ts'
import { createSleepers } from './places/sleepers.ts'
import type { Usage } from './usage.ts'
import type { AnswerOwn } from './visits.ts'

export interface AppsParts {
  readonly db: Db
  readonly listener: Pick<DatabaseListener, 'subscribe'>
  readonly objects: ObjectStore
  /** The address below which apps are. */
  readonly apps_url: string
  /** The origin at which people sign in; none when absent, and they are let in by token alone. */
  readonly public_url?: string | undefined
  readonly now: () => number
  readonly usage: Pick<Usage, 'onVisit' | 'onWoken'>
}

export interface Apps {
  readonly find: FindPlace
  readonly answerOwn: AnswerOwn
  readonly scheme: 'http' | 'https'
  close(): void
}

/** The apps of the platform, by what their rows say. */
export function openApps({ db, listener, objects, apps_url, public_url, now, usage }: AppsParts): Apps {
  const { protocol, hostname, host: apps_host } = new URL(apps_url)
  const scheme = protocol === 'https:' ? 'https' : 'http'
  const places = knownPlaces(db, () => performance.now(), now)
  const sites = createSites(db, objects, now)
  const sleepers = createSleepers({ db, places, now, ...usage })
  const who = whoVisits(db, now)
  const ownPaths = createOwnPaths({ db, scheme, now, who })
  const unsubscribe = listener.subscribe('apps', (payload) => places.forget(payload?.project_id ?? null))
  const placeOf = async (host: string) => {
    const label = labelOf(host, hostname)
    return label === null ? undefined : places.find(label)
  }
  const lookAt = async (place: ServingPlace, visitor: Visitor): Promise<Place> => {
    const mode = modeOf(place.access_mode, place.kind)
    if (mode !== 'public') {
      const tokens = shownTokens(visitor.headers, scheme)
      const viewers = await Promise.all(tokens.map((token) => who.of(place, token)))
      if (!viewers.some((viewer) => mayView(mode, viewer))) return closed(mode === 'password', visitor)
    }
    if (place.config.run !== undefined) {
      const label = labelOf(visitor.host, hostname) ?? ''
      return moneyRefusal(place, new Date(now())) ?? sleepers.of(label, place)
    }
    const limit = { app_id: place.app_id, max: place.max_concurrency }
    return { kind: 'site', site: await sites.of(place), limit }
  }
  const closed = (password: boolean, { host, url }: Visitor): Refused => {
    const port = apps_host.slice(hostname.length)
    const enter =
      public_url &&
      `${public_url}/dashboard/enter-app?${new URLSearchParams({ host: host + port, return: url })}`
    return {
      kind: 'refused',
      code: 'app_auth_required',
      message: password
        ? 'This app asks for a password. Post it to /.svc/password.'
        : 'This app is for people whom its project names. Sign in at enter_url, or send a token of POST /v1/apps/enter as X-Svc-App-Token.',
      ...(password ? { enter: { kind: 'password' } } : enter ? { enter: { kind: 'page', url: enter } } : {}),
    }
  }
  return {
    scheme,
    async find(visitor) {
      const place = servingOf(await placeOf(visitor.host))
      return place.kind === 'refused' ? place : lookAt(place, visitor)
    },
    async answerOwn(request, response, { host, address, request_id: id }) {
      const [path = '/'] = (request.url ?? '/').split('?')
      if (!isOwnPath(path)) return false
      await ownPaths(request, response, { place: await placeOf(host), path, address, id })
      return true
    },
    close: unsubscribe,
  }
}

export const noApps: FindPlace = async () => noApp
