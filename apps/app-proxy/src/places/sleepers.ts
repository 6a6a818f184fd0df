import { randomUUID } from 'node:crypto'
import { appInstances, type AppPlace, type Db } from '@svc/db'
import { type KnownPlaces, servingOf, type ServingPlace } from './known-places.ts'
import type { Instance, Place, Refused } from './place.ts'
import { wakeTimes } from './wake-times.ts'

/** After a failure one new try is made with the first visitor who comes this much later. */
const againMs = 30_000
const lookMs = 250
/** A pause before an instance is asked again that could not be reached. */
const pauseMs = 300

export interface Sleepers {
  /** The instance of a release that runs, or what has to be woken. */
  of(label: string, place: ServingPlace): Exclude<Place, { readonly kind: 'site' }>
}

export interface SleepersParts {
  readonly db: Db
  readonly places: KnownPlaces
  readonly now: () => number
  /** A visitor was led to an instance. */
  readonly onVisit: (instance_id: string) => void
  /** A release was woken, which took so long. */
  readonly onWoken: (app_id: string, ms: number) => void
}

/** Leads visitors to instances, and wakes what sleeps: however many come, each release gets one instance. */
export function createSleepers({ db, places, now, onVisit, onWoken }: SleepersParts): Sleepers {
  const asked = new Map<string, Promise<unknown>>()

  const times = wakeTimes(() => performance.now())

  const want = (place: ServingPlace) => {
    const { release_id, app_id, account_id, project_id, provider } = place
    const release = { release_id, app_id, project_id, provider: provider ?? '' }
    const instance_id = randomUUID()
    const one =
      asked.get(release_id) ??
      db
        .transaction()
        .execute((tx) => appInstances.want(tx, { instance_id, release, account_id, now: new Date(now()) }))
        .then((row) => {
          if (row?.instance_id === instance_id) times.begun(release_id)
        })
        .finally(() => asked.delete(release_id))
    asked.set(release_id, one)
    return one
  }

  const instanceOf = (place: ServingPlace): Instance | null => {
    const { instance } = place
    if (instance?.state !== 'healthy' || instance.endpoint === null) return null
    const { instance_id } = instance
    const woken_ms = times.answered(place.release_id)
    if (woken_ms !== null) onWoken(place.app_id, woken_ms)
    return {
      ...{ instance_id, url: instance.endpoint.url, ca: instance.endpoint.ca },
      onVisit: () => onVisit(instance_id),
      onLost: async () => {
        await places.changed(pauseMs)
        places.forget(place.project_id)
      },
    }
  }

  const wake = async (
    label: string,
    first: ServingPlace,
    { wait_ms, signal }: { readonly wait_ms: number; readonly signal: AbortSignal },
  ): Promise<Instance | Refused | null> => {
    const begun = performance.now()
    const began_at = now()
    let wanted = first.instance !== null
    let place: ServingPlace = first
    while (!signal.aborted) {
      const there = instanceOf(place)
      if (there !== null) return there
      const failed = failureOf(place, began_at)
      if (failed !== null) {
        times.failed(place.release_id)
        return failed
      }
      // The row may be gone again: it was not wanted, or came to an end.
      if (place.instance === null && (!wanted || place.release_id !== first.release_id)) {
        await want(place)
        places.forget(place.project_id)
        wanted = true
      }
      const left = wait_ms - (performance.now() - begun)
      if (left <= 0) return null
      await places.changed(Math.min(lookMs, left))
      const again = servingOf(await places.find(label))
      if (again.kind === 'refused') return again
      place = again
    }
    return null
  }
  return {
    of(label, place) {
      const limit = { app_id: place.app_id, max: place.max_concurrency }
      const instance = instanceOf(place)
      if (instance !== null) return { kind: 'instance', instance, limit }
      const failed = place.instance === null ? failureOf(place, now() - againMs) : null
      if (failed !== null) return failed
      return {
        kind: 'asleep',
        limit,
        sleeper: { wake: (wait_ms, signal) => wake(label, place, { wait_ms, signal }) },
      }
    },
  }
}

/** The refusal for a release whose newest instance failed after this moment; null for another. */
function failureOf({ failed }: AppPlace, since: number): Refused | null {
  if (failed === null || new Date(failed.at).getTime() < since) return null
  const exit = (failed.reason ?? 'It did not start').split('\n', 1)[0] ?? ''
  return {
    kind: 'refused',
    code: 'app_failed',
    message: `This app failed: ${exit}. It is tried again half a minute later; its log says more.`.replace(
      '..',
      '.',
    ),
    details: { retry_after: 30 },
  }
}
