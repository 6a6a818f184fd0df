import { featureFlag, isFeatureOn } from '@svc/access'
import type { AppPlace, Db } from '@svc/db'
import { appVisits } from '@svc/db'
import { noApp, type Refused } from './place.ts'

/** The label of a host below that of apps; null for another host. */
export function labelOf(host: string, apps_host: string): string | null {
  const label = host.endsWith(`.${apps_host}`) ? host.slice(0, -apps_host.length - 1) : ''
  return label === '' || label.includes('.') ? null : label
}

/** An app that serves, with the release that its address shows. */
export type ServingPlace = AppPlace & {
  readonly release_id: string
  readonly config: NonNullable<AppPlace['config']>
}

export interface KnownPlaces {
  /** The rows of a host, no older than the last message of a change; those of an outage at the latest. */
  find(label: string): Promise<AppPlace | undefined>
  /** The apps of a project, or all of them after a gap, are read again. */
  forget(project_id: string | null): void
  /** Waits for a message of a change, or this long. */
  changed(wait_ms: number): Promise<void>
}

const maxAgeMs = 1000
/** Rows that are this old are shown while the database is away. */
const outageMs = 300_000
const maxPlaces = 10_000

interface Known {
  readonly at: number
  /** False once a change was told of. */
  readonly fresh: boolean
  readonly place: AppPlace | undefined
}

/** `now` goes on by itself, in milliseconds; `today` is the time of day. */
export function knownPlaces(db: Db, now: () => number, today: () => number): KnownPlaces {
  const known = new Map<string, Known>()
  const asked = new Map<string, Promise<AppPlace | undefined>>()
  const waiting = new Set<() => void>()
  let generation = 0

  const ask = async (label: string): Promise<AppPlace | undefined> => {
    const [at, asked_in] = [now(), generation]
    const place = await appVisits.findPlace(db, label, new Date(today()))
    // A change that was told of while this was read may not be in it.
    if (asked_in === generation) {
      known.delete(label)
      known.set(label, { at, place, fresh: true })
      const [oldest] = known.keys()
      if (known.size > maxPlaces && oldest !== undefined) known.delete(oldest)
    }
    return place
  }
  const askOnce = (label: string) => {
    const one = asked.get(label) ?? ask(label).finally(() => asked.delete(label))
    asked.set(label, one)
    return one
  }
  return {
    async find(label) {
      const one = known.get(label)
      if (one?.fresh && now() - one.at < maxAgeMs) return one.place
      try {
        return await askOnce(label)
      } catch (error) {
        if (one !== undefined && now() - one.at < outageMs) return one.place
        throw error
      }
    },
    forget(project_id) {
      generation += 1
      asked.clear()
      for (const [label, one] of known)
        if (project_id === null || one.place === undefined || one.place.project_id === project_id)
          known.set(label, { ...one, fresh: false })
      for (const go of waiting) go()
    },
    changed: (wait_ms) =>
      new Promise((resolve) => {
        const go = () => {
          clearTimeout(timer)
          waiting.delete(go)
          resolve()
        }
        const timer = setTimeout(go, wait_ms)
        waiting.add(go)
      }),
  }
}

/** The app behind rows, where it serves. */
export function servingOf(place: AppPlace | undefined): ServingPlace | Refused {
  if (place === undefined) return noApp
  if (place.kind === 'production' && !place.declared) return noApp
  const off = !isFeatureOn(featureFlag('apps'), place.feature) || place.suspended
  if (off || place.desired === 'stopped')
    return refused('app_stopped', 'This app is stopped. The people who may change it can start it again.')
  const { release_id, config } = place
  if (release_id === null || config === null)
    return refused('app_starting', 'This app has no release yet. Try again in a moment.', { retry_after: 5 })
  return { ...place, release_id, config }
}

function refused(code: Refused['code'], message: string, details?: Refused['details']): Refused {
  return { kind: 'refused', code, message, ...(details && { details }) }
}
