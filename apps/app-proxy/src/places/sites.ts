import { looksHashed } from '@svc/app'
import { appReleases, appVisits, type Db } from '@svc/db'
import type { ObjectStore } from '@svc/objects'
import { readObject } from '@svc/objects'
import type { Site } from '../static/answer-static.ts'
import type { ReleaseFile } from '../static/choose-variant.ts'
import { byteCache } from '../static/byte-cache.ts'
import type { ServingPlace } from './known-places.ts'

const maxReleases = 200
const maxCachedFile = 64 * 1024
const maxCachedBytes = 64 * 1024 * 1024

export interface Sites {
  of(place: ServingPlace): Promise<Site>
}

type Files = ReadonlyMap<string, ReleaseFile>

/** The files of static releases. They never change, and so are kept. */
export function createSites(db: Db, objects: ObjectStore, now: () => number): Sites {
  const releases = new Map<string, Promise<Files>>()
  const cache = byteCache(maxCachedBytes)

  const filesOf = (release_id: string): Promise<Files> => {
    const files = releases.get(release_id) ?? read(db, release_id)
    releases.delete(release_id)
    releases.set(release_id, files)
    files.catch(() => releases.delete(release_id))
    const [oldest] = releases.keys()
    if (releases.size > maxReleases && oldest !== undefined) releases.delete(oldest)
    return files
  }
  const bytesOf: Site['read'] = async (sha256, bytes, span) => {
    const key = `apps/${sha256}`
    if (span !== undefined)
      return objects.get(key, { offset: span.first, length: span.last - span.first + 1 })
    if (bytes > maxCachedFile) return objects.get(key)
    const known = cache.get(sha256) ?? (await readObject(objects, key))
    if (known !== null) cache.put(sha256, known)
    return known
  }
  return {
    async of({ release_id, channel_id, config, access_mode, kind }) {
      return {
        files: await filesOf(release_id),
        spa: config.spa,
        shared: access_mode === 'public' && kind === 'production',
        read: bytesOf,
        earlier: async (path) => {
          // What else is not there is asked for all the time, and costs nothing.
          if (!looksHashed(path)) return undefined
          for (const earlier of await appVisits.earlierReleases(
            db,
            { channel_id, release_id },
            new Date(now()),
          )) {
            const file = (await filesOf(earlier)).get(path)
            if (file?.hashed) return file
          }
          return undefined
        },
      }
    },
  }
}

async function read(db: Db, release_id: string): Promise<Files> {
  const rows = await appReleases.files(db, release_id)
  return new Map(rows.map(({ path, ...file }) => [path, file]))
}
