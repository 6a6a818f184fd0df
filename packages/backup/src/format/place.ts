import { basename, dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ObjectStore, openObjectStore, type StoreKeys } from '@svc/objects'
import { backupNamePattern } from '@svc/facts'

/** The URL of a place that a person named: a folder, or a bucket with a prefix. */
export const placeUrl = (place: string): string =>
  /^(s3|file):\/\//.test(place) ? place : pathToFileURL(resolve(place)).href

/** The place and the name of one backup in it. Throws for what is not the name of one. */
export function splitBackup(given: string): { readonly place: string; readonly name: string } {
  const [path = '', query = ''] = given.replace(/\/+(?=\?|$)/, '').split('?', 2)
  const name = basename(path)
  if (!backupNamePattern.test(name))
    throw new Error(`${given} is no backup: its last part is svc-backup-<time>-<id>`)
  const above =
    path.startsWith('s3://') || path.startsWith('file://') ? path.slice(0, -name.length - 1) : dirname(path)
  return { place: placeUrl(query === '' ? above : `${above}?${query}`), name }
}

export const openPlace = (place: string, keys?: StoreKeys): Promise<ObjectStore> =>
  openObjectStore(placeUrl(place), keys)
